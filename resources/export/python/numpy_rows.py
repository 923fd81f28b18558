# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: picture_form records
import dataclasses
import os
import re

import numpy as np


class NumpyRows(Records):
    """Rows of .npy files, or of the members of .npz files."""

    def __init__(self, paths, labels=None, content="auto"):
        files = shard_files(paths, lambda name: name.endswith((".npy", ".npz")))
        self.arrays = [named_arrays(path) for path in files]
        self.given = None
        fields = {}
        for key, array in self.arrays[0].items():
            name, field = row_field(key, array, content)
            fields[name if name not in fields else f"{name}_array"] = field
        if labels is not None:
            self.given = next(iter(named_arrays(labels).values()))
            fields["label"] = label_field(None, self.given)
            if fields["label"] is None:
                mask = "mask" in os.path.basename(labels).lower()
                del fields["label"]
                _, field = row_field("mask" if mask else "target", self.given, content)
                fields[field.key] = dataclasses.replace(field, key=None)
        counts = [len(next(iter(arrays.values()))) for arrays in self.arrays]
        super().__init__(files, counts, fields)

    def __getitem__(self, index):
        file, row = self.find(index)
        values = {}
        for name, field in self.fields.items():
            given = field.key is None
            value = self.given[index] if given else self.arrays[file][field.key][row]
            values[name] = field.array(np.array(value, dtype=field.dtype))
        return values


def named_arrays(path):
    found = np.load(path, mmap_mode="r")
    if isinstance(found, np.ndarray):
        return {"": found}
    return {name: found[name] for name in found.files}


def label_field(key, array):
    """A class, or a quantity if not all of the first are whole; None if it is neither."""
    if array[:1].size != 1 or array.dtype.name == "float16":
        return None
    if array.dtype.kind in "iub":
        return Field(key, "int64", ())
    first = np.asarray(array[:4096])
    known = first[~np.isnan(first)]
    if not len(known):
        return None
    whole = ((known >= 0) & (known == np.floor(known))).all()
    return Field(key, "int64" if whole else array.dtype.name, ())


def row_field(key, array, content):
    """The name of an array's field, and the Field."""
    word = r"^y$|^y_|^cls$|label|class|^targets?$"
    label = label_field(key, array) if re.search(word, key) else None
    if label is not None:
        return "label", label
    dtype = "uint8" if array.dtype == bool else array.dtype.name
    layout, shape = picture_form(array.shape[1:], dtype, content)
    name = re.sub("[^a-z0-9_]", "_", key.lower())
    if not key:
        name = "image" if layout else "features"
    elif not name[0].isalpha():
        name = f"array_{name}"
    mask = bool(layout) and "mask" in key
    return name, Field(key, dtype, shape, layout, mask)
