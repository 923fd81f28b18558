# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import functools
import os

import numpy as np
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

    def __getitem__(self, index):
        file, row = self.find(index)
        starts = self.groups[file]
        group = int(np.searchsorted(starts, row, "right")) - 1
        table = row_group(self.paths[file], group, self.keys, os.getpid())
        row -= int(starts[group])
        return {n: parquet_value(f, table, row) for n, f in self.fields.items()}


@functools.lru_cache(maxsize=4)
def row_group(path, group, keys, process):
    with pq.ParquetFile(path) as file:
        return file.read_row_group(group, columns=list(keys))


def parquet_value(field, table, row):
    """A column's value in the type of its field; members of structs follow dots."""
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
        value = value.encode()
    if not isinstance(value, bytes):
        value = np.asarray(value, dtype=field.dtype)
    return field.array(value)
