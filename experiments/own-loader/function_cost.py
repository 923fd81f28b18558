#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What a `python` node adds to a sample: that of a function that returns its 64 bytes unchanged.

    python3 experiments/own-loader/function_cost.py MILLRACE [MILLRACE...]

Needs NumPy. The time for each sample with the node, minus that without it, in one worker; programs are
measured in turn. `on a batch` is the node that gets 32 samples in a call. Its cost is for each sample, too.
"""
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7
SECONDS = 1.0


def same(features):
    return features


def document(folder, kind, random):
    node = (kind, {"file": str(Path(__file__).resolve()), "function": "same", "fields": ["features"],
                   "python": sys.executable, "random": random})
    kinds = [("synthetic", {}), ("workers", {"count": 1}), ("batch", {"size": 32}), ("drain", {})]
    if kind:
        kinds.insert(1 if kind == "python" else 3, node)
    path = Path(folder, "%s-%s.millrace.json" % (kind, random))
    nodes = [{"id": kind, "kind": kind, "params": params} for kind, params in kinds]
    wires = [{"from": a[0], "to": b[0]} for a, b in zip(kinds, kinds[1:])]
    path.write_text(json.dumps({"format_version": 1, "nodes": nodes, "wires": wires}))
    return path


def microseconds(millrace, path):
    run = subprocess.run([millrace, "run", path, "--seconds", str(SECONDS), "--warmup", "0.3",
                          "--repeats", "1", "--json", "--no-store"],
                         capture_output=True, text=True)
    if run.returncode != 0:
        return None
    return 1e6 / json.loads(run.stdout)["samples_per_second"]["mean"]


def main():
    cases = {"without draws": ("python", False), "with draws": ("python", True),
             "on a batch": ("python_batch", False)}
    programs = sys.argv[1:]
    costs = {(program, name): [] for program in programs for name in cases}
    with tempfile.TemporaryDirectory() as folder:
        bare = document(folder, "", False)
        paths = {name: document(folder, *case) for name, case in cases.items()}
        for _ in range(ROUNDS):
            for program in programs:
                without = microseconds(program, bare)
                for name, path in paths.items():
                    taken = microseconds(program, path)
                    if taken is not None:
                        costs[program, name].append(taken - without)
    for (program, name), found in costs.items():
        if found:
            print("%-14s %6.2f us a sample (%.2f to %.2f)  %s" % (
                name, statistics.median(found), min(found), max(found), program))


if __name__ == "__main__":
    main()
