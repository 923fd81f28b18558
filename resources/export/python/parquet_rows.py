# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records text_classes
import functools
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


class ParquetRows(Records):
    """Rows of Parquet files, read a row group at a time."""

    def __init__(self, paths, fields):
        files = shard_files(paths, lambda name: name.endswith(".parquet"))
        self.groups = []
        for path in files:
            about = pq.read_metadata(path)
            rows = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
            self.groups.append(np.cumsum([0, *rows]))
        super().__init__(files, [int(starts[-1]) for starts in self.groups], fields)
        self.keys = tuple(sorted({field.key for field in fields.values()}))
        self.numbers = {}
        kinds = {column.name: column.type for column in pq.read_schema(files[0])}
        for field in fields.values():
            kind = kinds.get(field.key, pa.null())
            text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
            if text and field.dtype == "int64" and field.shape == ():
                tables = (pq.read_table(path, columns=[field.key]) for path in files)
                texts = (text for t in tables for text in t[0].unique().to_pylist())
                self.numbers = text_classes(paths, texts)
                self.classes = list(self.numbers)

    def __getitem__(self, index):
        file, row = self.find(index)
        starts = self.groups[file]
        group = int(np.searchsorted(starts, row, "right")) - 1
        table = row_group(self.paths[file], group, self.keys, os.getpid())
        row -= int(starts[group])
        return {n: parquet_value(f, table, row, self.numbers) for n, f in self.fields.items()}


@functools.lru_cache(maxsize=4)
def row_group(path, group, keys, process):
    with pq.ParquetFile(path) as file:
        return file.read_row_group(group, columns=list(keys))


def parquet_value(field, table, row, numbers):
    """A column's value in the type of its field; members of structs follow dots.

    Texts of classes have `numbers`.
    """
    whole = field.key in table.column_names
    first, *rest = [field.key] if whole else field.key.split(".")
    value = table.column(first)[row].as_py()
    for name in rest:
        value = None if value is None else value[name]
    if isinstance(value, dict):
        value = value["bytes"]
    if value is None:
        raise ValueError(f"{field.key} is null")
    if isinstance(value, str):
        classes = numbers and field.dtype == "int64"
        value = numbers[value] if classes else value.encode()
    if not isinstance(value, bytes):
        value = np.asarray(value, dtype=field.dtype)
    return field.array(value)
