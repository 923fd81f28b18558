#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Times of `training_step` compared with the same network in PyTorch, in turns, on one GPU.

experiments/step/run.py [--millrace PROGRAM] [--python PYTHON] [--rounds 3] [--rows 256]
                        [--side 224] [--steps 50] [--networks light,heavy]
                        [--precisions f16,bf16,f32] [--results FILE]

PYTHON must have torch. MILLRACE_BACKEND=emulated tests the script without a GPU, with small pictures
and batches; its times mean nothing then.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = ["forward_ms", "backward_ms", "update_ms"]


def told(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def millrace_step(args, network, precision):
    command = [args.millrace, "run", HERE / "pipeline.millrace.json", "--json", "--no-store"]
    command += ["--repeats", "1", "--warmup", str(args.warmup), "--batches", str(args.steps)]
    for setting in [
        f"step.network={network}",
        f"step.precision={precision}",
        f"batch.size={args.rows}",
        f"synthetic.height={args.side}",
        f"synthetic.width={args.side}",
    ]:
        command += ["--set", setting]
    return told(command)["training"]


def torch_step(args, network, precision):
    command = [args.python, HERE / "torch_step.py", "--network", network]
    command += ["--precision", precision, "--rows", str(args.rows)]
    return told(command + ["--side", str(args.side), "--steps", str(args.steps)])


def whole(step):
    return sum(step[part] for part in PARTS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--millrace", default="build/release/app/cli/millrace")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--side", type=int, default=224)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--warmup", type=float, default=5, help="seconds, of Millrace")
    parser.add_argument("--networks", default="light,heavy")
    parser.add_argument("--precisions", default="f16,bf16,f32")
    parser.add_argument("--results", default=HERE / "results.csv")
    args = parser.parse_args()
    os.environ.setdefault("MILLRACE_BACKEND", "cuda")  # no other device may take the place of a GPU
    rows = []
    for network in args.networks.split(","):
        for precision in args.precisions.split(","):
            ours, theirs = [], []
            for round_number in range(args.rounds):
                turns = [(millrace_step, ours), (torch_step, theirs)]
                for step, kept in turns if round_number % 2 == 0 else turns[::-1]:
                    kept.append(step(args, network, precision))
            pairs = list(zip(ours, theirs))
            ratio = statistics.median(whole(a) / whole(b) for a, b in pairs)
            plain = statistics.median(whole(a) / b["plain_ms"] for a, b in pairs)
            row = {"network": network, "precision": precision}
            for name, kept in [("millrace", ours), ("torch", theirs)]:
                for part in PARTS:
                    row[f"{name}_{part}"] = round(statistics.median(s[part] for s in kept), 4)
            row["torch_plain_ms"] = round(statistics.median(b["plain_ms"] for b in theirs), 4)
            row["ratio"] = round(ratio, 4)
            row["ratio_to_plain"] = round(plain, 4)
            row["by"] = f"{ours[0]['libraries']}; torch {theirs[0]['torch']}"
            row["device"] = theirs[0]["device"]
            rows.append(row)
            print(
                f"{network:6} {precision:5} millrace {whole(ours[0]):9.3f} ms"
                f"   torch {whole(theirs[0]):9.3f} ms   time over torch's {ratio:.3f}"
                f"   over its plain loop's {plain:.3f}",
                flush=True,
            )
    with open(args.results, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
