#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Tunes workloads, sweeps the same settings as a grid, and compares the two best settings.

    experiments/tuning/run.py MILLRACE [--only NAME] [--budget T] [--repeats N] [--seconds S]
                              [--blocks N] [--small]

--small uses a grid of eight points, to check that everything works. With the whole grid, each
workload's row in results.csv next to this file is replaced when it is done.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain, keep_rows

GRID = ["workers.count=1..8", "prefetch.batches=1,2,3,4,6,8,12,16,24,32", "workers.unit=*"]
SMALL = ["workers.count=1,2", "prefetch.batches=1,4", "workers.unit=*"]
WARMUP = 0.3
RESULTS = HERE / "results.csv"

ONE = ("workers", {"count": 1})
QUEUE = ("prefetch", {"batches": 1})
DRAIN = ("drain", {})
# name, pipeline; each begins with one worker and the shortest queue.
WORKLOADS = [
    ("photos", chain(("image_folder", {"paths": ["sample:imagenet"]}), ("shuffle", {}), ONE,
                     ("decode", {}), ("random_resized_crop", {"height": 224, "width": 224}),
                     ("flip", {}), ("batch", {"size": 32}), QUEUE, DRAIN)),
    ("wide blur", chain(("synthetic", {"content": "image", "height": 96, "width": 96}), ONE,
                        ("blur", {"kernel": 15, "sigma_min": 1, "sigma_max": 4}),
                        ("batch", {"size": 16}), QUEUE, DRAIN)),
    ("tiny records", chain(("synthetic", {"content": "features", "length": 192}), ONE,
                           ("batch", {"size": 512}), QUEUE, DRAIN)),
    ("photos and a step", chain(("image_folder", {"paths": ["sample:imagenet"]}), ONE,
                                ("decode", {}), ("resize", {"height": 128, "width": 128}),
                                ("batch", {"size": 16}), QUEUE,
                                ("emulated_step", {"seconds": 0.012}))),
    ("crops of large pictures", chain(("image_folder", {"paths": ["sample:imagenet"]}), ONE,
                                      ("decode", {}), ("random_crop", {"height": 96, "width": 96}),
                                      ("jitter", {}), ("batch", {"size": 64}), QUEUE, DRAIN)),
]


def run(*command):
    """The JSON that a command prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def tune(millrace, pipeline, tuned, budget):
    found = run(millrace, "tune", pipeline, "--budget", budget, "--no-store", "-o", tuned, "--json")
    return found, found["measured_trials"] + found["diagnosis_runs"]


def sweep(millrace, pipeline, grid, arguments):
    vary = [word for axis in grid for word in ("--vary", axis)]
    return run(millrace, "sweep", pipeline, *vary, "--repeats", arguments.repeats, "--seconds",
               arguments.seconds, "--warmup", WARMUP, "--no-store", "--json")


def against(millrace, pipeline, tuned, settings, blocks, seconds):
    """The rate of the tuner's choice over that of a grid point, measured together."""
    sets = [word for name, value in settings.items() for word in ("--set", f"A:{name}={value}")]
    compared = run(millrace, "compare", pipeline, tuned, *sets, "--repeats", blocks, "--seconds",
                   seconds, "--warmup", WARMUP, "--no-store", "--json")
    return compared["verdict"]["ratio"], compared["verdict"]["kind"]


def measure(millrace, folder, name, document, arguments):
    pipeline, tuned = folder / "pipeline.millrace.json", folder / "tuned.millrace.json"
    pipeline.write_text(json.dumps(document))
    grid = SMALL if arguments.small else GRID
    found, trials = tune(millrace, pipeline, tuned, arguments.budget)
    swept = sweep(millrace, pipeline, grid, arguments)
    points = len(swept["trials"])
    grid_trials = points * swept["repeats"]
    best = [swept["trials"][number] for number in swept["ranking"][:5]]
    ratios = [against(millrace, pipeline, tuned, point["settings"], arguments.blocks,
                      arguments.seconds) for point in best]
    least = min(range(len(ratios)), key=lambda i: ratios[i][0])
    return {
        "workload": name, "points": points, "grid_trials": grid_trials, "tuner_trials": trials,
        "share": f"{trials / grid_trials:.3f}", "seconds": f"{found['spent_seconds']:.0f}",
        "of_grids_best": f"{ratios[least][0]:.3f}", "verdict": ratios[least][1],
        "tuned": " ".join(edit["text"] for edit in found["best"]["edits"]) or "unmodified",
        "grids_best": " ".join(f"{k}={v}" for k, v in best[least]["settings"].items()),
        "stopped_because": found["stopped_because"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", default="2m")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    millrace = pathlib.Path(arguments.millrace).resolve()
    names = [name for name, _ in WORKLOADS]
    if arguments.only and arguments.only not in names:
        sys.exit(f"no workload `{arguments.only}`: {', '.join(names)}")
    for name, document in WORKLOADS:
        if arguments.only and arguments.only != name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            row = measure(millrace, pathlib.Path(folder), name, document, arguments)
        print("  ".join(f"{key}={value}" for key, value in row.items()), flush=True)
        if not arguments.small:
            keep_rows(RESULTS, list(row), names, [row])


main()
