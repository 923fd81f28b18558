# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: hf_rows
import os
from glob import glob

from datasets import Dataset, Image


def make_dataset(partner):
    """Return the files of two folders, which have the same order by name."""
    files = {}
    for name, folder in {"image": INPUTS, partner: TARGETS}.items():
        found = sorted(glob("*", root_dir=folder))
        files[name] = [os.path.join(folder, file) for file in found]
    dataset = Dataset.from_dict(files)
    for name in files:
        dataset = dataset.cast_column(name, Image())
    return dataset.with_transform(load_all)
