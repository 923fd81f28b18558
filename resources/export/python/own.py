# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import functools
import importlib
import importlib.util
import os
import pickle
import sys
import types


@functools.lru_cache(maxsize=None)
def own(file, module, name):
    """A function or object of a Python file, or without one of a module."""
    if file.endswith((".pkl", ".pickle")):
        with open(file, "rb") as pickled:
            loaded = types.SimpleNamespace(object=pickle.load(pickled))
    elif file:
        stem = os.path.splitext(os.path.basename(file))[0]
        spec = importlib.util.spec_from_file_location(stem, file)
        sys.modules[stem] = loaded = importlib.util.module_from_spec(spec)
        sys.path.insert(0, os.path.dirname(file))
        spec.loader.exec_module(loaded)
    else:
        loaded = importlib.import_module(module)
    for part in name.split("."):
        called = part.endswith("()")
        part = part[:-2] if called else part
        loaded = loaded[int(part)] if part.isdigit() else getattr(loaded, part)
        loaded = loaded() if called else loaded
    return loaded() if isinstance(loaded, type) else loaded
