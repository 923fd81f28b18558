# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records text_classes
import json
import os
import re
import struct
import warnings

import numpy as np

MDS_TYPES = {
    8: "uint8", 9: "int8", 16: "uint16", 17: "int16", 18: "float16", 32: "uint32",
    33: "int32", 34: "float32", 64: "uint64", 65: "int64", 66: "float64",
}  # fmt: skip


class MdsSamples(Records):
    """Samples of MosaicML's shards, by their index.json."""

    def __init__(self, paths, fields):
        files, counts, self.columns = [], [], None
        for path in shard_files(paths, lambda name: name == "index.json"):
            with open(path) as index:
                shards = json.load(index)["shards"]
            for shard in shards:
                name = shard["raw_data"]["basename"]
                file = os.path.join(os.path.dirname(path), name)
                if not os.path.exists(file):
                    warnings.warn(f"{file} is not there: its samples are left out")
                    continue
                files.append(file)
                counts.append(shard["samples"])
                sides = ("column_names", "column_encodings", "column_sizes")
                self.columns = list(zip(*(shard[side] for side in sides)))
        super().__init__(files, counts, fields)
        self.numbers = {}
        kinds = {name: encoding for name, encoding, _ in self.columns}
        for field in fields.values():
            if field.dtype == "int64" and kinds[field.key] == "str":
                texts = (
                    self.values(i)[field.key][1].decode() for i in range(len(self))
                )
                self.numbers = text_classes(paths, texts)
                self.classes = list(self.numbers)

    def __getitem__(self, index):
        found = self.values(index)
        return {
            n: mds_value(f, *found[f.key], self.numbers) for n, f in self.fields.items()
        }

    def values(self, index):
        """The encoding and the bytes of each column."""
        file, record = self.find(index)
        path = self.paths[file]
        begin, end = struct.unpack("<II", read_at(path, 4 + 4 * record, 8))
        data = read_at(path, begin, end - begin)
        sizes = sum(size is None for _, _, size in self.columns)
        lengths = iter(struct.unpack_from(f"<{sizes}I", data))
        at, found = 4 * sizes, {}
        for name, encoding, size in self.columns:
            length = next(lengths) if size is None else size
            found[name] = encoding, data[at : at + length]
            at += length
        if at != len(data):
            raise ValueError(f"{self.name(index)} is damaged")
        return found


def mds_value(field, encoding, data, numbers):
    """A column's value in the type of its field; texts of classes have `numbers`."""
    kind, *rest = encoding.split(":")
    if kind == "str" and numbers and field.dtype == "int64":
        value = np.array(numbers[data.decode()])
    elif kind == "ndarray":
        value = mds_array(data, *rest)
    elif kind == "pil":
        width, height, mode = struct.unpack_from("<III", data)
        value = np.frombuffer(data, np.uint8, offset=12 + mode)
        value = value.reshape(height, width, -1)
    elif kind == "str_int":
        value = np.array(int(data))
    elif kind == "str_float":
        value = np.array(float(data))
    elif re.fullmatch(r"int|u?int\d+|float\d+", kind):
        value = np.frombuffer(data, "int64" if kind == "int" else kind)
    else:
        return field.array(data)
    if value.dtype.name in ("uint32", "uint64") or field.dtype == "int64":
        value = value.astype(np.int64)
    return field.array(value)


def mds_array(data, dtype=None, shape=None):
    """An array; if the column does not give type and shape, they precede it."""
    at = 0
    if dtype is None:
        dtype, at = MDS_TYPES[data[0]], 1
    if shape is not None:
        sizes = [int(size) for size in shape.split(",")]
    else:
        axes, width = data[at] >> 2, 1 << (data[at] & 3)
        sizes = np.frombuffer(data, f"<u{width}", axes, at + 1).tolist()
        at += 1 + axes * width
    return np.frombuffer(data, dtype, offset=at).reshape(sizes)
