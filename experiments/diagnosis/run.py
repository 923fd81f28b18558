#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Diagnoses pipelines in each of which one thing was planted, and compares the names.

    experiments/diagnosis/run.py MILLRACE [--seconds S] [--only NAME]

The program does not know what was planted. Writes results.csv beside this file.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent


def chain(*nodes):
    """A pipeline document of (kind, parameters) in a row."""
    ids = [kind for kind, _ in nodes]
    return {
        "format_version": 1, "seed": 1,
        "nodes": [{"id": k, "kind": k, "params": p} for k, p in nodes],
        "wires": [{"from": a, "to": b} for a, b in zip(ids, ids[1:])],
    }


PICTURES = ("image_folder", {"paths": ["sample:imagenet"]})
SMALL = ("image_folder", {"paths": ["small"]})
SYNTHETIC = ("synthetic", {"content": "image", "height": 96, "width": 96})
TINY = ("synthetic", {"content": "features", "length": 4, "classes": 0})
TWO = ("workers", {"count": 2})
ONE = ("workers", {"count": 1})
CROP = ("random_resized_crop", {"height": 64, "width": 64})
BATCH = ("batch", {"size": 16})
QUEUE = ("prefetch", {"batches": 2})
DRAIN = ("drain", {})

# name, pipeline, flags, what was planted (kind, node; None: no node)
SCENARIOS = [
    ("large pictures, small crops", chain(PICTURES, TWO, ("decode", {"scaling": "full"}), CROP,
                                          BATCH, QUEUE, DRAIN), [], ("decode", "decode")),
    ("large pictures, kept pixels", chain(PICTURES, TWO, ("decode", {}),
                                          ("resize", {"height": 64, "width": 64}),
                                          ("flip", {}), BATCH, QUEUE, DRAIN), [],
     ("decode", "decode")),
    ("a wide blur", chain(SYNTHETIC, TWO, ("flip", {}),
                          ("blur", {"kernel": 15, "sigma_min": 3, "sigma_max": 4}), BATCH, QUEUE,
                          DRAIN), [], ("augmentation", "blur")),
    ("turning small pictures", chain(SMALL, TWO, ("decode", {}),
                                     ("resize", {"height": 224, "width": 224}),
                                     ("affine", {"rotation": 40}),
                                     ("blur", {"kernel": 9, "sigma_min": 2, "sigma_max": 3}),
                                     BATCH, QUEUE, DRAIN), [], ("augmentation", None)),
    ("small files, nothing else", chain(SMALL, TWO, BATCH, QUEUE, DRAIN), [],
     ("read", "image_folder")),
    ("a slow step", chain(SYNTHETIC, TWO, ("flip", {}), BATCH, QUEUE,
                          ("emulated_step", {"seconds": 0.05})), [], ("step", "emulated_step")),
    ("one worker", chain(PICTURES, ONE, ("decode", {}), CROP, BATCH, QUEUE, DRAIN), [],
     ("workers_too_few", "workers")),
    ("samples of four bytes", chain(TINY, ("workers", {"count": 2}), BATCH, QUEUE, DRAIN), [],
     ("per_record", "workers")),
    ("a third of the files broken", chain(("image_folder", {"paths": ["broken"]}), TWO,
                                          ("decode", {}), CROP, BATCH, QUEUE, DRAIN),
     ["--max-failures", "100%"], ("failures", "image_folder")),
]


def make_data(millrace, folder):
    """Small pictures, and the same with every third cut off."""
    for name in ("small", "broken"):
        subprocess.run([millrace, "sample-data", str(folder / name), "--count", "300"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pictures = sorted(p for p in (folder / "broken").rglob("*") if p.is_file())
    for picture in pictures[::3]:
        picture.write_bytes(picture.read_bytes()[:200])


def diagnose(millrace, folder, scenario, seconds):
    name, document, flags, (kind, node) = scenario
    file = folder / "pipeline.millrace.json"
    file.write_text(json.dumps(document))
    done = subprocess.run(
        [millrace, "diagnose", str(file), "--json", "--no-store", "--seconds", str(seconds), *flags],
        capture_output=True, text=True)
    if done.returncode != 0:
        return {"scenario": name, "planted": kind, "found": "failed: " + done.stderr.strip()[:80]}
    result = json.loads(done.stdout)
    limit = result["limit"]
    right = limit["kind"] == kind and node in (None, limit["node"])
    first = result["advice"][0] if result["advice"] else {}
    gave = first.get("measured_ratio") or {}
    return {"scenario": name, "planted": kind, "found": limit["kind"] or "cannot tell",
            "node": limit["node"], "sure": limit["sure"],
            "right": "yes" if right else "open" if limit["kind"] is None else "no",
            "advice": first.get("edit") or "", "gave": f"{gave['mean']:.2f}" if gave else "",
            "disturbed": f"{result['disturbed_blocks']}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    millrace = str(pathlib.Path(arguments.millrace).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        make_data(millrace, folder)
        rows = []
        for scenario in SCENARIOS:
            if arguments.only not in scenario[0]:
                continue
            rows.append(diagnose(millrace, folder, scenario, arguments.seconds))
            print("  ".join(f"{v}" for v in rows[-1].values()), flush=True)
    if not arguments.only:
        keys = ["scenario", "planted", "found", "node", "sure", "right", "advice", "gave",
                "disturbed"]
        with open(HERE / "results.csv", "w", newline="") as file:
            table = csv.DictWriter(file, keys, restval="")
            table.writeheader()
            table.writerows(rows)


main()
