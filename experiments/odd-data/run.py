#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Inspects odd data sets, runs the proposed pipelines, and checks output and values.

experiments/odd-data/run.py build/release/app/cli/millrace [--results FILE] [NAME...]
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

import kinds
from case import CASES
from check import Check

INTRODUCTION = """# Results

Written by `run.py --results`. *Said* is the beginning of what `inspect` prints about the data, its
broken samples and its notes.

| case | input | right | said | result |
|---|---|---|---|---|
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", help="cases, or beginnings of their names")
    parser.add_argument("--results", type=Path, help="writes a table")
    return parser.parse_args()


def said(page, folder):
    """The description, the broken samples and the notes, shortened."""
    page = page.replace(f"{folder}/", "")
    parts, key = [], ""
    for line in page.splitlines():
        if line.startswith("Next:"):
            break
        head, text = line[:12].strip(), line[12:].strip()
        if line.startswith("error:"):
            head, text = "note", line[7:]
        elif key == "note" and line.startswith("    ") and not line.startswith(" " * 12):
            head, text = "", line.strip()
        key = head or key
        if key in {"broken", "note", "data"} or (key == "kind" and not head):
            parts.append(text)
    text = " ".join(" ".join(parts).split())
    return text[:220] + ("..." if len(text) > 220 else "")


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def wanted(options):
    for case in CASES:
        if options.names and not any(case.name.startswith(name) for name in options.names):
            continue
        missing = [name for name in case.needs if importlib.util.find_spec(name) is None]
        yield case, f"skipped: it needs the Python module {missing[0]}" if missing else ""


def main():
    options = arguments()
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    table = INTRODUCTION
    with tempfile.TemporaryDirectory() as folder:
        for case, skipped in wanted(options):
            check = Check(options.program, case, Path(folder) / case.name)
            if not skipped:
                check.run()
            result = skipped or ("wrong: " + "; ".join(check.wrong) if check.wrong else "right")
            counts[result.split(":")[0]] += 1
            print(f"{case.name}: {result}")
            if check.wrong or (options.names and not skipped):
                print(check.page)
            row = [case.name, case.input, case.right, said(check.page, folder), result[:120]]
            table += "| " + " | ".join(map(cell, row)) + " |\n"
    total = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(total)
    if options.results:
        options.results.write_text(f"{table}\n{total.capitalize()}.\n")
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
