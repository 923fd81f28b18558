#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Diagnoses 24 pipelines in each of which one thing was planted, and compares the names.

    experiments/diagnosis/run.py MILLRACE [--seconds S] [--repeats N] [--only NAME]

The program does not know what was planted. Writes results.csv beside this file.
"""
import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import scenarios

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain, write_table


@contextlib.contextmanager
def busy_processes(count):
    """Other processes that take a core each."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    time.sleep(0.5 if others else 0)
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def slow_storage(folder):
    """The library that makes storage slow, compiled."""
    library = folder / "slow_storage.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, HERE / "slow_storage.c",
                    "-ldl", "-lpthread"], check=True)
    return library


def environment(scenario, folder, library):
    """Of a program whose files below `folder` lie on the scenario's storage."""
    if not scenario.storage:
        return None
    names = {"latency_ms": "LATENCY_MS", "mb_per_s": "MB_PER_S", "cached": "CACHED"}
    slow = {f"SLOW_STORAGE_{names[key]}": str(value) for key, value in scenario.storage.items()}
    return {**os.environ, **slow, "LD_PRELOAD": str(library),
            "SLOW_STORAGE_UNDER": f"{folder.resolve()}/"}


def with_step(scenario, file, millrace, flags):
    """The scenario's document, its step as long as the loader's own time for a batch asks."""
    nodes = list(scenario.nodes)
    if scenario.step:
        file.write_text(json.dumps(chain(*nodes[:-1], scenarios.DRAIN)))
        done = subprocess.run([millrace, "run", str(file), "--json", "--no-store", "--repeats", "3",
                               "--seconds", "2", *flags], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{scenario.name}: {done.stderr.strip()}")
        rate = json.loads(done.stdout)["batches_per_second"]["mean"]
        nodes[-1] = ("emulated_step", {"seconds": round(scenario.step / rate, 6)})
    return chain(*nodes)


def score(scenario, limit):
    """right, open where that is allowed, or wrong; "cannot tell" elsewhere is a miss."""
    if limit["kind"] is None:
        return "open" if scenario.close else "missed"
    named = limit["kind"] in scenario.kinds and scenario.node in ("", limit["node"])
    if scenario.close and limit["kind"] in scenario.kinds:
        named = True
    return "right" if named else "wrong" if limit["sure"] == "yes" else "wrong, not sure"


def diagnose(millrace, folder, library, scenario, arguments):
    file = folder / "pipeline.millrace.json"
    file.write_text(json.dumps(with_step(scenario, file, millrace, scenario.flags)))
    with busy_processes(scenario.busy_processes):
        done = subprocess.run(
            [millrace, "diagnose", str(file), "--json", "--no-store", "--seconds",
             str(arguments.seconds), "--repeats", str(arguments.repeats), *scenario.flags],
            capture_output=True, text=True, env=environment(scenario, folder, library))
    row = {"scenario": scenario.name, "planted": scenario.kinds[0]}
    if done.returncode != 0:
        return {**row, "score": "failed: " + done.stderr.strip()[:120]}
    result = json.loads(done.stdout)
    if arguments.details:
        print(json.dumps(result, indent=2))
    limit = result["limit"]
    row.update({"found": limit["kind"] or "cannot tell", "node": limit["node"],
                "sure": limit["sure"], "score": score(scenario, limit),
                "disturbed": result["disturbed_blocks"]})
    first = result["advice"][0] if result["advice"] else {}
    row["advice"] = first.get("edit") or ""
    gave, predicted = first.get("measured_ratio"), first.get("predicted_samples_per_second")
    if gave:
        row["gave"] = f"{gave['mean']:.3f}"
    if predicted:
        row["predicted"] = f"{predicted['middle'] / result['samples_per_second']:.3f}"
    return row


COLUMNS = ["scenario", "planted", "found", "node", "sure", "score", "disturbed", "advice", "gave",
           "predicted"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--details", action="store_true", help="print what diagnose said")
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        library = slow_storage(folder)
        scenarios.make_data(millrace, folder)
        for scenario in scenarios.SCENARIOS:
            if arguments.only not in scenario.name:
                continue
            rows.append(diagnose(millrace, folder, library, scenario, arguments))
            print("  ".join(f"{key}={value}" for key, value in rows[-1].items()), flush=True)
    right = sum(row["score"] in ("right", "open") for row in rows)
    print(f"{right} of {len(rows)} right")
    if arguments.only:
        return
    write_table(HERE / "results.csv", COLUMNS, rows)


main()
