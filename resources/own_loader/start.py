# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Runs the harness from texts in memory: `parts` has this one and the others by their names."""
import importlib
import importlib.machinery
import json
import sys

PACKAGE = "millrace_own_loader"


class Parts:
    """Imports the parts of the harness as modules of a package."""

    def find_spec(self, name, path=None, target=None):
        package, _, part = name.rpartition(".")
        if name != PACKAGE and (package != PACKAGE or part not in parts):  # noqa: F821
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == PACKAGE)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        text = parts.get(module.__name__.rpartition(".")[2], "")  # noqa: F821
        exec(compile(text, "millrace-loader", "exec"), module.__dict__)


sys.meta_path.insert(0, Parts())
importlib.import_module(PACKAGE + ".harness").main(dict(json.loads(sys.argv[1]), file=sys.argv[2]))
