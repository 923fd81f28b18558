# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: hf_rows
from datasets import load_dataset


def make_dataset():
    """Return the files DATA/CLASS/FILE with the numbers of their classes."""
    dataset = load_dataset("imagefolder", data_dir=DATA, drop_labels=False, split="train")
    return dataset.with_transform(load_all)
