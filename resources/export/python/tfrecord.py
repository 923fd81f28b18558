# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import array
import functools
import mmap
import os
import re
import struct
import warnings

import numpy as np


class TfRecords(Records):
    """The records of TFRecord files, which are scanned at the first access."""

    def __init__(self, paths):
        self.paths = shard_files(paths, is_tfrecord)
        self.fields = {"record": Field("record")}

    @functools.cached_property
    def places(self):
        return [record_places(path) for path in self.paths]

    @functools.cached_property
    def starts(self):
        return np.cumsum([0, *map(len, self.places)])

    def __getitem__(self, index):
        file, record = self.find(index)
        offset, size = self.places[file][record].tolist()
        return {"record": read_at(self.paths[file], offset, size)}


def is_tfrecord(name):
    return re.search(r"\.tfrec|\.record$|^[^.]{6,}-of-[^.]*$", name, re.I)


def record_places(path):
    """Offset and size of each record; checksums are not compared."""
    places, at = array.array("q"), 0
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) if size else b""
        while at + 16 <= size:
            (length,) = struct.unpack_from("<Q", data, at)
            if at + 16 + length > size:
                break
            places.extend((at + 12, length))
            at += 16 + length
    if at < size:
        warnings.warn(f"{path}: no record at byte {at}; the rest is left out")
    return np.array(places, dtype=np.int64).reshape(-1, 2)
