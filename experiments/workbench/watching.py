#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What does watching cost a run? The same run under the workbench and alone, in blocks.

    experiments/workbench/watching.py BUILD [--blocks N] [--seconds S] [PIPELINE]

A block is two runs of each: one way first and last (chosen at random), the other in between, so that
a machine that gets slower affects both. The rates come from a separate store that keeps all runs.
Watched, the engine is the workbench's child, with the docks of a run open at 1389 x 868, drawn
offscreen; alone, it is the same command without a screen and without events. Writes watching.csv
next to this file and prints the loss with its 95 % interval.
"""
import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import write_table

WARMUP = 1
# The standard normal's quantile, and the first two terms of Student's beyond it (Cornish-Fisher):
# good to three digits from ten degrees of freedom on.
Z = 1.959964


def student(freedom):
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)


class Bench:
    """The two ways to run a pipeline, with a separate home and store."""

    def __init__(self, build, pipeline, seconds, home):
        self.engine = build / "app/cli/millrace"
        self.workbench = build / "app/workbench/millrace-workbench"
        self.pipeline, self.seconds, self.home = pipeline, seconds, home
        (home / "millrace").mkdir()
        (home / "millrace/workbench.conf").write_text(
            f"[measure]\nwarmup={WARMUP}\nseconds={seconds}\nrepeats=1\n")
        places = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), str(home))
        self.environment = {**os.environ, **places, "QT_QPA_PLATFORM": "offscreen",
                            "MILLRACE_STORE": str(home / "runs.db")}

    def run(self, command):
        subprocess.run(command, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        listed = subprocess.run([self.engine, "runs", "list", "--json", "--limit", "1"],
                                env=self.environment, check=True, capture_output=True, text=True)
        return json.loads(listed.stdout)[0]

    def watched(self):
        # The workbench ends when the run has ended.
        return self.run([self.workbench, "--size", "1389x868", "--run", "1000", "--screenshot",
                         str(self.home / "end.png"), self.pipeline])

    def alone(self):
        return self.run([self.engine, "run", self.pipeline, "--warmup", str(WARMUP), "--seconds",
                         str(self.seconds), "--repeats", "1"])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("pipeline", nargs="?", default="classification")
    arguments.add_argument("--blocks", type=int, default=30)
    arguments.add_argument("--seconds", type=float, default=3)
    given = arguments.parse_args()
    rows, seen = [], set()
    with tempfile.TemporaryDirectory() as home:
        bench = Bench(given.build.resolve(), given.pipeline, given.seconds, pathlib.Path(home))
        for block in range(given.blocks):
            first, second = random.Random(block).sample(["watched", "alone"], 2)
            rates = {"watched": [], "alone": []}
            for name in (first, second, second, first):
                run = getattr(bench, name)()
                if run["run_id"] in seen or run["state"] != "finished":
                    sys.exit(f"block {block}: the run {name} was not kept as finished")
                seen.add(run["run_id"])
                rates[name].append(run["samples_per_second"]["mean"])
            row = {"block": block, "first": first}
            row.update({name: statistics.geometric_mean(each) for name, each in rates.items()})
            rows.append(row)
            print(f"block {block}: alone {row['alone']:.1f}, watched {row['watched']:.1f} samples/s",
                  file=sys.stderr)
    write_table(HERE / "watching.csv", ["block", "first", "alone", "watched"], rows)
    ratios = [math.log(row["watched"] / row["alone"]) for row in rows]
    middle = statistics.mean(ratios)
    half = student(len(ratios) - 1) * statistics.stdev(ratios) / math.sqrt(len(ratios))
    loss = [100 * (1 - math.exp(value)) for value in (middle, middle + half, middle - half)]
    print(f"watching costs {loss[0]:.2f} % of the throughput, 95 % interval {loss[1]:.2f} to "
          f"{loss[2]:.2f} %, {len(rows)} blocks; to be under 2 %")


if __name__ == "__main__":
    main()
