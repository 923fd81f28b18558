# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measures Millrace and its peers in interleaved blocks; ./run calls this.

Every peer is a process that stays alive (serve.py), with full queues while it waits. A block
measures each peer once, in a new random order, after a warm-up that empties these queues. The
result is Millrace's rate over the peer's within a block: the mean over blocks and its 95 % interval
are computed on the logarithm, by Student's t.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# The workloads, the size of their batches, and the peers that support them.
WORKS = {
    "photos": (64, ("pytorch", "tfdata", "dali", "ffcv", "spdl")),
    "pairs": (16, ("pytorch", "tfdata", "dali", "spdl")),
    "masks": (8, ("pytorch", "tfdata", "dali", "spdl")),
    "augmented": (32, ("keras",)),
    "records": (512, ("tfdata",)),
    "single_records": (512, ("tfdata",)),
}
# Student's t at 0.975 for 1 to 30 degrees of freedom.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
T += [2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086]
T += [2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


class Peer:
    def __init__(self, name, work, options):
        self.name = name
        python = pathlib.Path(options.envs) / name / "bin" / "python"
        self.log = open(options.out / f"{work}-{name}.log", "w")
        batch, _ = WORKS[work]
        data = options.data / work.removeprefix("single_")
        command = [python, HERE / "serve.py", name, work, data, options.threads, batch]
        self.child = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": options.package},
        )

    def span(self, warm, seconds):
        """Return the answer for one span, or None if the peer has ended."""
        try:
            self.child.stdin.write(f"{warm} {seconds}\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.child.stdout.readline()
        return json.loads(line) if line else None

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.log.close()


def interval(ratios):
    """Return the geometric mean of ratios with its 95 % interval."""
    logs = [math.log(ratio) for ratio in ratios]
    mean = statistics.mean(logs)
    if len(logs) < 2:
        return math.exp(mean), None, None
    limit = T[min(len(logs) - 1, len(T)) - 1]
    half = limit * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def measure(work, names, options):
    peers = {name: Peer(name, work, options) for name in names}
    blocks = []
    try:
        for name in list(peers):  # its first batches compile, fork, read
            if peers[name].span(options.warm, options.warm) is None:
                log = (options.out / f"{work}-{name}.log").read_text().strip()
                print(f"{work}: {name} ended: {log.splitlines()[-1:]}", file=sys.stderr)
                peers.pop(name).close()
        if "millrace" not in peers:
            sys.exit(1)
        for number in range(options.blocks):
            block = {}
            for name in random.sample(list(peers), len(peers)):
                block[name] = peers[name].span(options.warm, options.seconds)
            if None in block.values():
                dead = [name for name, answer in block.items() if answer is None]
                sys.exit(f"{work}: {', '.join(dead)} ended in block {number + 1}")
            blocks.append(block)
            rates = (f"{n} {a['samples'] / a['seconds']:.0f}" for n, a in block.items())
            print(f"{work} {number + 1}/{options.blocks}: {', '.join(rates)}", file=sys.stderr)
    finally:
        for peer in peers.values():
            peer.close()
    return blocks


def rows(work, blocks):
    names = sorted(blocks[0], key=lambda name: (name != "millrace", name))
    for name in names:
        rate = [b[name]["samples"] / b[name]["seconds"] for b in blocks]
        cost = [b[name]["cpu"] / b[name]["samples"] for b in blocks]
        ours = [b["millrace"]["samples"] / b["millrace"]["seconds"] for b in blocks]
        our_cost = [b["millrace"]["cpu"] / b["millrace"]["samples"] for b in blocks]
        yield {
            "work": work,
            "peer": name,
            "blocks": len(blocks),
            "samples_per_second": round(statistics.median(rate), 1),
            "cpu_ms_per_sample": round(1000 * statistics.median(cost), 4),
            **dict(
                zip(
                    ("rate_ratio", "rate_low", "rate_high"),
                    (v and round(v, 3) for v in interval([a / b for a, b in zip(ours, rate)])),
                )
            ),
            **dict(
                zip(
                    ("cpu_ratio", "cpu_low", "cpu_high"),
                    (v and round(v, 3) for v in interval([b / a for a, b in zip(our_cost, cost)])),
                )
            ),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--envs", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--package", required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--warm", type=float, required=True)
    parser.add_argument("--work", nargs="+", choices=sorted(WORKS), required=True)
    parser.add_argument("--peer", nargs="+", required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    table = []
    for work in options.work:
        _, possible = WORKS[work]
        able = [name for name in options.peer if name in possible]
        table += rows(work, measure(work, ["millrace", *able], options))
    with open(options.out / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)
    print("| work | loader | samples/s | Millrace is times as fast | CPU ms a sample | of Millrace's |")
    print("|---|---|---|---|---|---|")
    for row in table:
        rate = f"{row['rate_ratio']:.2f} [{row['rate_low']}, {row['rate_high']}]"
        cost = f"{row['cpu_ratio']:.2f} [{row['cpu_low']}, {row['cpu_high']}]"
        if row["peer"] == "millrace":
            rate = cost = ""
        print(
            f"| {row['work']} | {row['peer']} | {row['samples_per_second']:.0f} | {rate}"
            f" | {row['cpu_ms_per_sample']:.3f} | {cost} |"
        )


if __name__ == "__main__":
    main()
