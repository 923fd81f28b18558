# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Imports the parts of the harness from `parts`, their texts by name, as modules of a package."""
import importlib
import importlib.machinery
import sys

PACKAGE = "millrace_own_python"


class Importer:
    def __init__(self, parts):
        self.parts = parts

    def find_spec(self, name, path=None, target=None):
        package, _, part = name.rpartition(".")
        if name != PACKAGE and (package != PACKAGE or part not in self.parts):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == PACKAGE)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == PACKAGE:
            module.PARTS = self.parts
            return
        text = self.parts[module.__name__.rpartition(".")[2]]
        exec(compile(text, "millrace-loader", "exec"), module.__dict__)


def part(name):
    if PACKAGE not in sys.modules:
        sys.meta_path.insert(0, Importer(parts))  # noqa: F821
    return importlib.import_module("%s.%s" % (PACKAGE, name))
