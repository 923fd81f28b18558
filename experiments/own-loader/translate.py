#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Imports the ten loaders of `loaders/` and measures each and what it became.

usage: translate.py MILLRACE PYTHON [NAME...]

PYTHON is an interpreter with what requirements.txt lists. The data is drawn by `millrace sample-data`: photos
in ten classes, street pictures with masks, and pairs for super-resolution.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOADERS = Path(__file__).parent / "loaders"
ALWAYS = ["--seconds", "4", "--repeats", "2", "--no-store", "--json"]


def prepare(millrace, folder):
    for name, kind, count in (("photos600", "imagenet", 600), ("streets", "camvid", 120), ("drawn", "pairs984", 24)):
        output([millrace, "sample-data", name, "--kind", kind, "--count", count], folder)
    (folder / "classes").symlink_to(folder / "photos600" / "train")
    output([millrace, "convert", "classes", "photos.tfrecord", "--to", "tfrecord"], folder)
    (folder / "pairs").mkdir()
    for side, end in (("high", "HR"), ("low", "LR")):
        for file in sorted((folder / "drawn" / side).glob("*.png")):
            (folder / "pairs" / ("%s_%s.png" % (file.stem, end))).symlink_to(file)
    (folder / "photos").mkdir()
    files = sorted((folder / "classes").rglob("*.jpg"))
    labels = {name: i for i, name in enumerate(sorted({file.parent.name for file in files}))}
    with open(folder / "train.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["image_id", "label"])
        for each in files:
            (folder / "photos" / each.name).symlink_to(each.resolve())
            rows.writerow([each.name, labels[each.parent.name]])


def output(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    return done.stdout, done.stderr.strip().splitlines()


def rate(command, folder):
    text, errors = output(command, folder)
    try:
        return json.loads(text)["samples_per_second"]["mean"]
    except (ValueError, KeyError):
        print("    %s" % (errors[:1] or text[:200]), file=sys.stderr)
        return None


def verdict(found):
    proof = found.get("proof")
    if proof is None:
        return found.get("no_proof", "")
    if all(field["equal"] for field in proof["fields"]):
        return "equal"
    return "equal but for rounding" if proof["holds"] else "differ"


def try_one(millrace, python, name, folder):
    loader = "%s.py:loader" % name
    shutil.copy(LOADERS / (name + ".py"), folder)
    text, errors = output([millrace, "import", loader, "--python", python, "-o", name + ".millrace.json", "--json"],
                          folder)
    own = rate([millrace, "loader", loader, "--python", python, *ALWAYS], folder)
    found = json.loads(text)
    if "error" in found:
        print("%-15s %s; %s" % (name, own and "%.1f/s" % own, found["error"][:150]), flush=True)
        return
    parts = ["%s: %s" % (part["how"], part["was"]) for part in found["parts"] if part["how"] != "exact"]
    fast = rate([millrace, "run", name + ".millrace.json", *ALWAYS], folder)
    gain = "%.1f/s -> %.1f/s, %.1f times" % (own, fast, fast / own) if own and fast else "%s -> %s" % (own, fast)
    print("%-15s %-22s %s" % (name, verdict(found), gain), flush=True)
    for part in parts:
        print("%-15s   %s" % ("", part[:100]))


def main():
    millrace, python, *names = sys.argv[1:]
    millrace, python = os.path.abspath(millrace), os.path.abspath(python)
    names = names or sorted(file.stem for file in LOADERS.glob("*.py"))
    with tempfile.TemporaryDirectory() as folder:
        prepare(millrace, Path(folder))
        for name in names:
            try_one(millrace, python, name, Path(folder))


if __name__ == "__main__":
    main()
