# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Data that vanishes, shrinks, grows or changes while it is read."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from lab import attack

CONTAINERS = ("tfrecord", "webdataset", "numpy", "lmdb", "mds", "recordio", "hdf5", "folder")


def files(place):
    return [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())


def vanish(place):
    shutil.rmtree(place) if place.is_dir() else place.unlink()


def shrink(place):
    for path in files(place):
        os.truncate(path, path.stat().st_size // 3)


def empty(place):
    for path in files(place):
        os.truncate(path, 0)


def grow(place):
    for path in files(place):
        with path.open("ab") as more:
            more.write(os.urandom(70_000))


def change(place):
    """Other bytes at the same places, as if another program wrote the file."""
    for path in files(place):
        size = path.stat().st_size
        with path.open("r+b") as same:
            for at in range(0, size, 512):
                same.seek(at)
                same.write(os.urandom(min(64, size - at)))


def replace(place):
    """Each file becomes a folder."""
    for path in files(place):
        path.unlink()
        path.mkdir()


CHANGES = {"vanishes": vanish, "shrinks": shrink, "is emptied": empty, "grows": grow, "changes": change,
           "becomes folders": replace}


def change_in_run(lab, command, place, change_it, what, codes):
    """Start, let it read a moment, change the data, wait for the end."""
    process = lab.start(*command)
    time.sleep(0.25)
    change_it(place)
    try:
        lab.judge_process(what, process, 10, codes)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        lab.fault(f"{what}: not ended 10 s after the data changed")


def container(lab, kind):
    target = f"{kind}_data"
    flags = ["--resize", "32x32", "--raw"] if kind in ("numpy", "hdf5") else []
    lab.run("convert", "photos", target, "--to", kind, "-o", f"{kind}.millrace.json", *flags, codes=(0,))
    return lab.inside / target


def attack_kind(lab, kind):
    """Every change to a copy of one container, in a run and in a conversion."""
    whole = container(lab, kind)
    kept = lab.inside / f"{kind}_kept"
    (shutil.copytree if whole.is_dir() else shutil.copy)(whole, kept)
    for what in lab.some(CHANGES, 2):
        change_it = CHANGES[what]
        for command in (["run", f"{kind}.millrace.json", "--seconds", "0.5", "--warmup", "0", "--repeats", "1"],
                        ["convert", str(whole), f"{kind} {what}".replace(" ", "_"), "--to", "tfrecord", "--workers", "1"]):
            if command[0] == "convert" and not lab.long:
                continue
            if whole.exists():
                vanish(whole)
            (shutil.copytree if kept.is_dir() else shutil.copy)(kept, whole)
            change_in_run(lab, command, whole, change_it, f"{command[0]}: {kind} {what}", (0, 1, 2))
    lab.check_store(0)


def register(kind):
    @attack(f"{kind}: data that vanishes, shrinks, grows and changes in a run")
    def changing(lab):
        lab.photos(count=400 if lab.long else 40)
        attack_kind(lab, kind)


for each in CONTAINERS:
    register(each)


@attack("a folder that grows and shrinks without end while it is listed and run")
def restless(lab):
    place = lab.photos(count=24)
    source = next(place.rglob("*.jpg")).read_bytes()
    process = lab.start(*lab.short(seconds="0.6"))
    folder = next(p for p in (place / "train").iterdir())
    number = 0
    while process.poll() is None and number < 4000:
        (folder / f"new{number}.jpg").write_bytes(source)
        Path(folder / f"new{number - 3}.jpg").unlink(missing_ok=True)
        number += 1
        time.sleep(0.001)
    process.communicate(timeout=10)
    lab.expect(process.returncode in (0, 1), f"exit code {process.returncode}")
    lab.check_store(1)
