# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Both loaders, in turn, in an order drawn anew for each seed; and a training that dies and goes on."""

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


def learn(loader, *arguments):
    done = subprocess.run([sys.executable, LEARN, loader, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, -9):
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def beside(options):
    rates, right = [], {"millrace": [], "torch": []}
    for seed in range(options.seeds):
        row = {}
        for loader in random.sample(["millrace", "torch"], 2):
            row[loader] = learn(loader, "--data", options.data, "--epochs", options.epochs, "--seed", seed)
            right[loader].append(row[loader]["right"])
        rates.append((row["millrace"]["epochs_a_minute"], row["torch"]["epochs_a_minute"]))
        print(
            f"seed {seed}: millrace {rates[-1][0]:.1f} epochs a minute, {right['millrace'][-1]:.1%} right;"
            f" DataLoader {rates[-1][1]:.1f}, {right['torch'][-1]:.1%}",
            flush=True,
        )
    print(f"epochs a minute, Millrace over DataLoader: {ratio(rates)}")
    for loader, shares in right.items():
        spread = f" (spread {statistics.stdev(shares):.1%})" if len(shares) > 1 else ""
        print(f"right after {options.epochs} epochs, {loader}: {statistics.mean(shares):.1%}{spread}")


def resumed(options):
    """Batches and weights of a training that was killed are those of one that was not."""
    with tempfile.TemporaryDirectory() as folder:
        common = ("--data", options.data, "--epochs", 3, "--seed", 5)
        whole, parts = Path(folder, "whole"), Path(folder, "parts")
        straight = learn("millrace", *common, "--batches", whole)
        checkpoint = Path(folder, "checkpoint.pt")
        steps = ("--batches", parts, "--checkpoint", checkpoint)
        learn("millrace", *common, *steps, "--die-at", 7)
        learn("millrace", *common, *steps, "--die-at", 12, "--workers", 1)
        last = learn("millrace", *common, *steps, "--workers", 3)
        same = whole.read_text() == parts.read_text()
        print(f"killed at batch 7 and 12 more, other workers: batches {'the same' if same else 'DIFFER'},", end=" ")
        print(f"weights {'the same' if straight['weights'] == last['weights'] else 'DIFFER'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    resumed(options)
    beside(options)


if __name__ == "__main__":
    main()
