# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Trains with what `millrace export` writes: two epochs, then one more.

A target takes part if its adapter has `trainings(file)`, the command lines, and
`TRAINING`, the flags of `export`.
"""

import os
import pathlib
import subprocess

from cases import is_refusal

SMALL = {
    "classification": ["random_resized_crop.height=64", "random_resized_crop.width=64"],
    "super-resolution": ["random_crop.height=16", "random_crop.width=16"],
    "segmentation": ["random_crop.height=64", "random_crop.width=64"],
    "chess": ["batch.size=4096"],
}


def trained(folder, command):
    """Run a command; return its last line, or raise what it complains about."""
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1", "OMP_NUM_THREADS": "1"},
    )
    warnings = [line for line in done.stderr.splitlines() if "Warning" in line]
    if done.returncode != 0 or warnings:
        raise RuntimeError((warnings or [done.stderr])[0][-300:])
    return done.stdout.strip().splitlines()[-1][-60:] if done.stdout.strip() else ""


def train(bench, name, settings):
    folder = bench.folder(f"training {name}".replace(" ", "_"))
    file = folder / "train.py"
    words = [word for setting in settings for word in ("--set", setting)]
    bench.millrace(
        "export", name, *words, "--to", bench.target, *bench.adapter.TRAINING, "-o", file
    )
    row = {"case": name, "fine": True, "commands": []}
    for command in bench.adapter.trainings(pathlib.Path(file)):
        shown = " ".join(pathlib.Path(word).name for word in map(str, command))
        row["commands"].append({shown: trained(folder, [*map(str, command)])})
    return row


def run(bench, _):
    if not hasattr(bench.adapter, "trainings"):
        print("This target has no training.")
        return []
    print("| example | command | its last line |")
    print("|---|---|---|")
    rows = []
    for name, settings in SMALL.items():
        try:
            row = train(bench, name, settings)
        except Exception as error:  # one case must not hide the others
            problem = f"{error}"
            row = {"case": name, "fine": is_refusal(problem), "problem": problem}
            print(f"| {name} | {row['problem'][-200:]} | |", flush=True)
        else:
            for shown in row["commands"]:
                for command, line in shown.items():
                    print(f"| {name} | `{command}` | {line} |", flush=True)
        rows.append(row)
    return rows
