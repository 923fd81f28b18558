# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import functools
import mmap
import os
import struct
from glob import glob

from torch.utils.data import Dataset


@functools.cache
def mapped(path):
    """Return the bytes of a file, which each process maps once."""
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class Records(Dataset):
    """The records of the TFRecord files in DATA."""

    def __init__(self):
        self.places = []
        for name in sorted(glob("*.tfrec*", root_dir=DATA)):
            path, at = os.path.join(DATA, name), 12  # after the length and its checksum
            while at < len(mapped(path)):
                (length,) = struct.unpack_from("<Q", mapped(path), at - 12)
                self.places.append((path, at, at + length))
                at += length + 16

    def __len__(self):
        return len(self.places)

    def __getitem__(self, index):
        path, start, end = self.places[index]
        return mapped(path)[start:end]
