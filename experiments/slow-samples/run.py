#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The rate of strict order as a share of that of ready first, with some slow samples. See README.md."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain, write_table  # noqa: E402

CASES = [  # one in so many samples, takes so many times as long
    (40, 10), (400, 40), (1000, 300)]
SIZES = [(4, 16), (16, 16), (64, 16), (64, 8)]  # samples of a batch, workers
SAMPLES = 4000


def document(batch, workers, order):
    return chain(
        ("synthetic", {"content": "image", "count": SAMPLES, "height": 8, "width": 8}), ("shuffle", {}),
        ("workers", {"count": workers, "order": order}),
        ("python", {"file": str(HERE / "slow.py"), "function": "step", "random": False,
                    "python": sys.executable}),
        ("batch", {"size": batch}), ("prefetch", {}), ("drain", {}))


def rate(program, case, batch, workers, order, seconds):
    """Samples per second, after an epoch of warm-up."""
    every, times = case
    epoch = SAMPLES * 0.001 * (1 + (times - 1) / every) / workers
    run = subprocess.run(
        [program, "run", "-", "--warmup", str(1.5 * epoch + 1), "--seconds", str(seconds + 2 * epoch),
         "--repeats", "1", "--no-store", "--json"],
        input=json.dumps(document(batch, workers, order)), stdout=subprocess.PIPE, text=True, check=True,
        env=os.environ | {"EVERY": str(every), "TIMES": str(times)})
    return json.loads(run.stdout)["samples_per_second"]["mean"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.csv")
    args = parser.parse_args()
    rows = []
    for case in CASES:
        for batch, workers in SIZES:
            rates = {"strict": [], "ready": []}
            for _ in range(args.pairs):
                for order, seen in rates.items():
                    seen.append(rate(args.program, case, batch, workers, order, args.seconds))
            ratios = sorted(a / b for a, b in zip(rates["strict"], rates["ready"]))
            row = {"one_in": case[0], "times": case[1], "batch": batch, "workers": workers,
                   "strict": round(math.exp(sum(map(math.log, rates["strict"])) / args.pairs)),
                   "ready": round(math.exp(sum(map(math.log, rates["ready"])) / args.pairs)),
                   "ratio": round(ratios[len(ratios) // 2], 3), "least": round(ratios[0], 3)}
            print(*(f"{key}={value}" for key, value in row.items()), flush=True)
            rows.append(row)
    write_table(args.results, list(rows[0]), rows)


if __name__ == "__main__":
    main()
