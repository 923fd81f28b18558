# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares exported code of one target with Millrace; ./verify calls this.

Runs in the target's environment. A target only needs targets/TARGET.py with
    batches(module) -> iterator of (names or None, {field: numpy array})
for one epoch of an exported module, in the module's order.
"""

import argparse
import importlib
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys

import cases
import draws
import hand
import kinds
import pixels
import rate
import training

PARTS = {
    "pixels": pixels.run,
    "kinds": kinds.run,
    "draws": draws.run,
    "rate": rate.run,
    "hand": hand.run,
    "training": training.run,
}


class Bench:
    """Runs Millrace and exported code for the parts."""

    def __init__(self, options):
        self.target, self.program = options.target, options.millrace
        self.data = options.data
        self.work = pathlib.Path(options.work) / "work" / options.target
        # As a part of a package: some targets have the name of a module that they use.
        self.adapter = importlib.import_module(f"targets.{options.target}")
        self.count = 0

    def folder(self, name):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def millrace(self, *arguments):
        done = subprocess.run(
            [self.program, *map(str, arguments)],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(
                f"millrace {' '.join(map(str, arguments))}: {done.stderr}"
            )
        return done.stdout

    def exported(self, folder, *arguments):
        """Export, import and return the module."""
        self.count += 1
        file = folder / f"exported_{self.count}.py"
        self.millrace("export", *arguments, "--to", self.target, "-o", file)
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        # Worker processes find unpickled classes by this name, in this folder.
        sys.path.insert(0, str(folder))
        sys.modules[file.stem] = module
        spec.loader.exec_module(module)
        # Millrace runs with --max-failures 100%: samples that did not fail are compared.
        if hasattr(module, "MAX_FAILURES"):
            module.MAX_FAILURES = 1.0
        return module


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", required=True)
    parser.add_argument("--millrace", required=True)
    parser.add_argument("--data", default="")
    parser.add_argument("--work", required=True)
    parser.add_argument("parts", nargs="+", choices=sorted(PARTS))
    options = parser.parse_args()
    bench = Bench(options)
    results, fine = {}, True
    for part in options.parts:
        print(f"\n## {options.target}: {part}\n", flush=True)
        rows = PARTS[part](bench, cases.all_cases(options.data))
        results[part] = rows
        fine = fine and all(row["fine"] for row in rows)
    out = pathlib.Path(options.work) / "results"
    out.mkdir(exist_ok=True)
    file = out / f"{options.target}.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**known, **results}, indent=2) + "\n")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
