# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Trains with each loader, in a new random order for each seed; kills and resumes trainings."""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from spread import ratio

LEARN = Path(__file__).with_name("learn.py")
NAMES = {"millrace": "Millrace", "torch": "DataLoader", "torchdata": "StatefulDataLoader"}


def learn(loader, *arguments):
    done = subprocess.run([sys.executable, LEARN, loader, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, -9):
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def compared(options):
    rates, right = {loader: [] for loader in NAMES}, {loader: [] for loader in NAMES}
    for seed in range(options.seeds):
        for loader in random.sample(list(NAMES), len(NAMES)):
            done = learn(loader, "--data", options.data, "--epochs", options.epochs, "--seed", seed)
            rates[loader].append(done["epochs_a_minute"])
            right[loader].append(done["right"])
        told = [f"{NAMES[n]} {rates[n][-1]:.1f} epochs a minute, {right[n][-1]:.1%} right" for n in NAMES]
        print(f"seed {seed}: {'; '.join(told)}", flush=True)
    for loader in ("torch", "torchdata"):
        over = ratio(list(zip(rates["millrace"], rates[loader])))
        print(f"epochs a minute, Millrace over {NAMES[loader]}: {over}")
    for loader, shares in right.items():
        spread = f" (spread {statistics.stdev(shares):.1%})" if len(shares) > 1 else ""
        print(f"right after {options.epochs} epochs, {NAMES[loader]}: {statistics.mean(shares):.1%}{spread}")


def resumed(loader, options, workers):
    """Whether a training that was killed twice gets the same batches and weights as one that was not."""
    with tempfile.TemporaryDirectory() as folder:
        common = ("--data", options.data, "--epochs", 3, "--seed", 5)
        whole, parts = Path(folder, "whole"), Path(folder, "parts")
        straight = learn(loader, *common, "--batches", whole, "--workers", workers[0])
        checkpoint = Path(folder, "checkpoint.pt")
        steps = ("--batches", parts, "--checkpoint", checkpoint)
        for count, batches in zip(workers, (7, 12)):
            learn(loader, *common, *steps, "--die-at", batches, "--workers", count)
        last = learn(loader, *common, *steps, "--workers", workers[2])
        then, now = (file.read_text().splitlines() for file in (whole, parts))
        same = sum(map(str.__eq__, then, now))
        print(
            f"{NAMES[loader]}, killed at batch 7 and 12 more, {workers} workers: {same} of {len(then)}"
            f" batches the same, weights {'the same' if straight['weights'] == last['weights'] else 'others'}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    resumed("millrace", options, (2, 1, 3))
    resumed("torchdata", options, (2, 2, 2))
    compared(options)


if __name__ == "__main__":
    main()
