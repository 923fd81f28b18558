# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: picture_form records
import functools
import os

import h5py
import numpy as np


class Hdf5Rows(Records):
    """Rows of datasets: `wanted` gives dataset, role and layout of each field."""

    def __init__(self, paths, wanted, content="auto"):
        files = shard_files(paths, lambda name: name.endswith((".h5", ".hdf5")))
        counts, labels, fields = [], [], {}
        for path in files:
            with h5py.File(path, "r") as file:
                for name, (key, role, layout) in wanted.items():
                    fields[name] = row_field(file[key], key, role, layout, content)
                    if role == "label":
                        labels.append(file[key][:].reshape(-1).astype(np.int64))
                counts.append(len(file[key]))
        if labels:
            self.labels = np.concatenate(labels)
        super().__init__(files, counts, fields)

    def __getitem__(self, index):
        path, row = self.find(index)
        file = open_hdf5(self.paths[path], os.getpid())
        values = {}
        for name, field in self.fields.items():
            value = file[field.key][row]
            if not field.dtype:
                values[name] = bytes(value)
            else:
                value = np.asarray(value, dtype=field.dtype)
                values[name] = field.array(value)
        return values


@functools.lru_cache(maxsize=64)
def open_hdf5(path, process):
    """Opened again in each process: the library's files do not survive a fork."""
    return h5py.File(path, "r")


def row_field(data, key, role, layout, content):
    run = h5py.check_vlen_dtype(data.dtype)
    if run is not None:
        return Field(key, "" if run == np.uint8 else run.name)
    if role == "label":
        return Field(key, "int64", ())
    dtype = "uint8" if data.dtype == bool else data.dtype.name
    if role == "features":
        content = "features"
    elif content == "auto" and data.ndim == 3:
        content = "image_grey"
    found, shape = picture_form(data.shape[1:], dtype, content)
    return Field(key, dtype, shape, layout or found, role == "mask")
