#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Diagnoses 24 pipelines in each of which one thing was planted, and compares the names.

    experiments/diagnosis/run.py MILLRACE [--seconds S] [--repeats N] [--only NAME ...]
    experiments/diagnosis/run.py MILLRACE --examples

The program does not know what was planted. A scenario's row in results.csv next to this file is
replaced when it is done. --examples diagnoses the unmodified examples, for what is advised and
predicted: examples.csv.
"""
import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import scenarios

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
import slow_storage
from pipelines import chain, keep_rows


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


def environment(scenario, folder, library):
    """Environment of a program for which files below `folder` are on the scenario's storage."""
    if not scenario.storage:
        return None
    return slow_storage.environment(library, folder, scenario.storage)


def with_step(scenario, file, millrace, flags):
    """The scenario's document; a step may depend on the loader's own time for a batch."""
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


def diagnosed(millrace, pipeline, arguments, flags=(), env=None):
    """What `millrace diagnose` reports about a pipeline, or why it fails."""
    done = subprocess.run(
        [millrace, "diagnose", str(pipeline), "--json", "--no-store", "--seconds",
         str(arguments.seconds), "--repeats", str(arguments.repeats), *flags],
        capture_output=True, text=True, env=env)
    if done.returncode != 0:
        return None, done.stderr.strip()
    result = json.loads(done.stdout)
    if arguments.details:
        print(json.dumps(result, indent=2))
    return result, ""


def found(result, arguments):
    """The columns of what was found, advised, predicted and measured."""
    limit = result["limit"]
    row = {"found": limit["kind"] or "cannot tell", "node": limit["node"], "sure": limit["sure"],
           "disturbed": result["disturbed_blocks"], "blocks": arguments.repeats}
    first = result["advice"][0] if result["advice"] else {}
    row["advice"] = first.get("edit") or ""
    gave, predicted = first.get("measured_ratio"), first.get("predicted_samples_per_second")
    if gave:
        row["gave"] = f"{gave['mean']:.3f}"
    if predicted:
        row["predicted"] = f"{predicted['middle'] / result['samples_per_second']:.3f}"
    return row


def diagnose(millrace, folder, library, scenario, arguments):
    file = folder / "pipeline.millrace.json"
    file.write_text(json.dumps(with_step(scenario, file, millrace, scenario.flags)))
    with busy_processes(scenario.busy_processes):
        result, why = diagnosed(millrace, file, arguments, scenario.flags,
                                environment(scenario, folder, library))
    row = {"scenario": scenario.name, "planted": scenario.kinds[0]}
    if result is None:
        return {**row, "score": "failed: " + why[:120]}
    return {**row, **found(result, arguments), "score": score(scenario, result["limit"])}


def all_examples(millrace, arguments):
    for name in EXAMPLES:
        result, why = diagnosed(millrace, name, arguments)
        yield {"example": name, **(found(result, arguments) if result else {"found": why[:120]})}


def all_planted(millrace, arguments):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        library = slow_storage.compiled(folder)
        scenarios.make_data(millrace, folder)
        for scenario in scenarios.SCENARIOS:
            if not arguments.only or scenario.name in arguments.only:
                yield diagnose(millrace, folder, library, scenario, arguments)


EXAMPLES = ["classification", "cats-vs-dogs", "super-resolution", "deblurring", "segmentation",
            "chess"]
FOUND = ["found", "node", "sure", "disturbed", "blocks", "advice", "gave", "predicted"]


def errors(rows):
    """Errors of the predictions of gains of a tenth or more."""
    gains = [(float(row["gave"]), float(row["predicted"])) for row in rows
             if row.get("gave") and row.get("predicted") and float(row["gave"]) >= 1.1]
    if not gains:
        return "no gain of a tenth that was predicted"
    off = [abs(predicted / gave - 1) for gave, predicted in gains]
    without = [abs(1 / gave - 1) for gave, _ in gains]
    return (f"{len(gains)} gains: predictions off by {statistics.median(off):.1%} (median), "
            f"{max(off):.1%} (worst); no change as the guess: {statistics.median(without):.1%}, "
            f"{max(without):.1%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--examples", action="store_true")
    parser.add_argument("--details", action="store_true", help="print what diagnose said")
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    names = [scenario.name for scenario in scenarios.SCENARIOS]
    if unknown := set(arguments.only) - set(names):
        parser.error(f"no scenario {', '.join(unknown)}; there are: {', '.join(names)}")
    if arguments.examples:
        path, columns, order = HERE / "examples.csv", ["example", *FOUND], EXAMPLES
        made = all_examples(millrace, arguments)
    else:
        path, columns = HERE / "results.csv", ["scenario", "planted", "score", *FOUND]
        order = names
        made = all_planted(millrace, arguments)
    rows = []
    for row in made:
        rows.append(row)
        keep_rows(path, columns, order, [row])
        print("  ".join(f"{key}={value}" for key, value in row.items()), flush=True)
    if not arguments.examples:
        print(f"{sum(row['score'] in ('right', 'open') for row in rows)} of {len(rows)} right")
    print(errors(rows))


main()
