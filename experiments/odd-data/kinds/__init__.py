# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The cases, a file for each kind of data. Importing a file adds its cases to case.CASES."""

import importlib

# In the order of the table.
FILES = ("pictures", "folders", "csv_tables", "tfrecord", "webdataset", "mds", "recordio", "arrays",
         "lmdb_files", "labels", "named", "public_layouts")  # fmt: skip
for name in FILES:
    importlib.import_module(f"{__name__}.{name}")
