# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""One peer with one workload; measure.py starts it.

For a line "WARM SECONDS" on standard input it takes batches for WARM and then SECONDS, and answers
with a line of JSON: samples, seconds, and CPU seconds of this process and its children.
"""

import argparse
import importlib
import json
import os
import pathlib
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds():
    """Return the CPU seconds of this process and of its living and ended children."""
    parents, used = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # ended meanwhile
            continue
        parents[int(entry.name)] = int(fields[1])
        used[int(entry.name)] = sum(int(ticks) for ticks in fields[11:15])
    family = {os.getpid()}
    while True:
        more = {pid for pid, parent in parents.items() if parent in family} - family
        if not more:
            return sum(used[pid] for pid in family) / TICK
        family |= more


def span(batches, seconds):
    """Return the samples and the seconds of whole batches over at least this long."""
    samples, start = 0, time.perf_counter()
    while True:
        samples += next(batches)
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return samples, elapsed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer")
    parser.add_argument("work")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("threads", type=int)
    parser.add_argument("batch", type=int)
    options = parser.parse_args()
    # Libraries may write to standard output; answers use a separate pipe.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Peers' modules are in a subfolder, because some have the names of installed packages.
    here = pathlib.Path(__file__).parent
    module = importlib.import_module(f"loaders.{options.peer}")
    assert pathlib.Path(module.__file__).parent == here / "loaders"
    batches = module.loader(options.work, options.data, options.threads, options.batch)
    for line in sys.stdin:
        warm, seconds = map(float, line.split())
        span(batches, warm)
        cpu = cpu_seconds()
        samples, elapsed = span(batches, seconds)
        answer = {"samples": samples, "seconds": elapsed, "cpu": cpu_seconds() - cpu}
        print(json.dumps(answer), file=answers, flush=True)
    # A loader's shutdown is not measured.
    answers.close()
    os._exit(0)


if __name__ == "__main__":
    main()
