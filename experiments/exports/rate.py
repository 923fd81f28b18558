# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares throughput with Millrace's, in turns.

Both run as exported and decode JPEG in full. A turn is one span of each, in
alternating order, so that other load of the machine affects both. The result is
the ratio within a turn, with the spread over the turns.
"""

import json
import math
import statistics
import time

TURNS = 5
SECONDS = 4.0
WARM_UP = 1.5


def target_rate(bench, module):
    batches = bench.adapter.epochs(module)
    started = time.perf_counter()
    while time.perf_counter() - started < WARM_UP:
        next(batches)
    started, samples = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        samples += next(batches)
    rate = samples / (time.perf_counter() - started)
    batches.close()
    return rate


def millrace_rate(bench, case, settings):
    result = json.loads(
        bench.millrace(
            "run", *case.arguments(), *settings, "--seconds", SECONDS,
            "--warmup", WARM_UP, "--repeats", 1, "--no-store",
            "--max-failures", "100%", "--json",
        )
    )  # fmt: skip
    return result["samples_per_second"]["mean"]


def compare(bench, case):
    settings = ["--set", "decode.scaling=full"]
    folder = bench.folder(f"rate {case.name}".replace(" ", "_"))
    module = bench.exported(folder, *case.arguments(), *settings)
    ours, theirs = [], []
    for turn in range(TURNS):
        for side in (0, 1) if turn % 2 else (1, 0):
            if side:
                ours.append(millrace_rate(bench, case, settings))
            else:
                theirs.append(target_rate(bench, module))
    ratios = [math.log(b / a) for a, b in zip(ours, theirs)]
    return {
        "millrace": statistics.median(ours),
        "target": statistics.median(theirs),
        "ratio": math.exp(statistics.mean(ratios)),
        "lowest": math.exp(min(ratios)),
        "highest": math.exp(max(ratios)),
    }


def run(bench, cases):
    print(f"{TURNS} turns of {SECONDS:.0f} s; samples/s are medians.\n")
    print("| data | Millrace | target | target / Millrace | of the turns |")
    print("|---|---|---|---|---|")
    rows = []
    for case in cases:
        try:
            row = {"case": case.name, "fine": True, **compare(bench, case)}
        except Exception as error:  # one case must not hide the others
            known = isinstance(error, NotImplementedError)
            row = {"case": case.name, "fine": known, "problem": f"{error}"}
            print(f"| {case.name} | | | {row['problem'][:200]} | |")
        else:
            print(
                f"| {case.name} | {row['millrace']:.0f} | {row['target']:.0f}"
                f" | {row['ratio']:.2f} | {row['lowest']:.2f} to"
                f" {row['highest']:.2f} |",
                flush=True,
            )
        rows.append(row)
    return rows
