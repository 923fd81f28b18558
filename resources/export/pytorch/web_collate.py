# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torch.utils.data import default_collate


def collate(samples):
    """Stack the fields; `webdataset` adds __key__."""
    for sample in samples:
        sample.pop("__key__", None)
    return default_collate(samples)
