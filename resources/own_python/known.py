# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What the parts named `of_...` know."""
import importlib

import millrace_own_python
from millrace_own_python.chain import SOURCES, Theirs, key_of
from millrace_own_python.subject import is_indexable
from millrace_own_python.watch import watched_files


def learn():
    for name in sorted(millrace_own_python.PARTS):
        if name.startswith("of_"):
            importlib.import_module("millrace_own_python." + name)


def known_source(dataset, path, translation):
    """The samples as files. Raises Theirs if the data set is something else."""
    found = SOURCES.get(key_of(dataset))
    if found is not None:
        return found(dataset, path, translation)
    if not is_indexable(dataset) or len(dataset) == 0:
        raise Theirs("no node reads it")
    return watched_files(dataset, path, translation)
