# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Things that are not the data that was expected: pipes, sockets, devices, empty and closed files."""

import contextlib
import os
import random
import shutil
import signal
import socket
import time

from lab import OTHER_USER, attack, only_root

NAMES = {"jpg": "image_folder", "tar": "webdataset", "tfrecord": "tfrecord", "npy": "numpy", "npz": "numpy",
         "mdb": "lmdb", "rec": "recordio", "mds": "mds", "h5": "hdf5", "csv": "manifest"}


def document(kind, path):
    """A pipeline that reads this path with a source of this kind."""
    return ('{"format_version": 1, "nodes": [{"id": "s", "kind": "%s", "params": {"paths": ["%s"]}},'
            '{"id": "b", "kind": "batch", "params": {"size": 2}}, {"id": "d", "kind": "drain"}],'
            '"wires": [{"from": "s", "to": "b"}, {"from": "b", "to": "d"}]}' % (kind, path))


def read_all_ways(lab, path, kind, **options):
    """Everything that a user may do with data."""
    lab.run("inspect", path, **options)
    lab.run("convert", path, f"{path.strip('/').replace('/', '_')}_out", "--to", "tfrecord", "--lossy", **options)
    for command in (["check", "-"], ["run", "-", "--seconds", "0.1", "--warmup", "0", "--repeats", "1", "--no-store"],
                    ["preview", "-"]):
        lab.run(*command, sends=document(kind, path).encode(), **options)


@attack("pipes, sockets and devices as data of every format")
def not_data(lab):
    only_root()
    for name in lab.some(NAMES, 4):
        kind = NAMES[name]
        os.mkfifo(lab.inside / f"pipe.{name}")
        read_all_ways(lab, f"pipe.{name}", kind)
        if lab.long or name == "jpg":
            lab.device(f"zero.{name}", 5)
            lab.device(f"null.{name}", 3)
            with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
                made.bind(str(lab.inside / f"socket.{name}"))
            for odd in ("zero", "null", "socket"):
                read_all_ways(lab, f"{odd}.{name}", kind)


@attack("pipes, sockets, devices and closed files among pictures")
def among(lab):
    lab.photos()
    folder = next(p for p in (lab.inside / "photos" / "train").iterdir() if p.is_dir())
    os.mkfifo(folder / "a_pipe.jpg")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(folder / "a_socket.jpg"))
        if os.geteuid() == 0:
            lab.device("zero.jpg", 5).rename(folder / "a_device.jpg")
        (folder / "a_nothing.jpg").touch()
        read_all_ways(lab, "photos", "image_folder")
        lab.measure("--max-failures", "10", codes=(0,))


@attack("empty files, and files of noise, of every format")
def empty_and_noise(lab):
    draw = random.Random(5)
    for name in lab.some(NAMES, 5):
        kind = NAMES[name]
        (lab.inside / f"empty.{name}").touch()
        read_all_ways(lab, f"empty.{name}", kind)
        (lab.inside / f"noise.{name}").write_bytes(draw.randbytes(20_000))
        read_all_ways(lab, f"noise.{name}", kind)
    for name in ("empty_folder", "only_hidden"):
        (lab.inside / name).mkdir()
    (lab.inside / "only_hidden" / ".x.jpg").touch()
    for name in ("empty_folder", "only_hidden"):
        for kind in lab.some(sorted(set(NAMES.values())), 2):
            read_all_ways(lab, name, kind)


@attack("data and pipelines without permission, as another user")
def closed(lab):
    only_root()
    lab.photos()
    (lab.inside / "work").mkdir()
    (lab.inside / "work").chmod(0o777)
    place = lab.inside / "work"
    for kind in ("tfrecord", "webdataset", "lmdb", "mds", "recordio"):
        lab.run("convert", "photos", str(place / kind), "--to", kind, codes=(0,))
    lab.run("export", "classification", "--data", "photos", "--to", "json", "-o", str(place / "mine.json"), codes=(0,))
    shutil.copytree(lab.inside / "photos", place / "photos")
    for path in place.rglob("*"):
        path.chmod(0 if path.is_file() or path.name == "photos" else 0o755)
    sources = {"tfrecord": "tfrecord", "webdataset": "webdataset", "lmdb": "lmdb", "mds": "mds",
               "recordio": "recordio", "photos": "image_folder"}
    for name in lab.some(sources, 3):
        kind = sources[name]
        lab.run("inspect", name, user=OTHER_USER, cwd=place, codes=(1, 2), says="ermission")
        lab.run("run", "-", "--batches", "1", "--no-store", user=OTHER_USER, cwd=place, codes=(1, 2),
                sends=document(kind, name).encode(), says="ermission")
        lab.run("convert", name, "new.tar", user=OTHER_USER, cwd=place, codes=(1, 2), says="ermission")
    lab.run("check", "mine.json", user=OTHER_USER, cwd=place, codes=(2,), says="ermission")
    (place / "photos").chmod(0o755)
    for path in (place / "photos").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    next((place / "photos").rglob("*.jpg")).chmod(0)
    lab.run("inspect", "photos", user=OTHER_USER, cwd=place, codes=(0,))
    lab.run("run", "classification", "--data", "photos", "--epochs", "1", "--warmup", "0", "--no-store",
            user=OTHER_USER, cwd=place, codes=(0,), says="ermission")
    next(p for p in (place / "photos" / "train").iterdir()).chmod(0)
    lab.run("inspect", "photos", user=OTHER_USER, cwd=place, codes=(0, 1), says="ermission")
    lab.run("check", "classification", "--data", "photos", user=OTHER_USER, cwd=place, says="ermission")


@attack("signals end every command that waits for a pipe")
def waiting(lab):
    lab.photos()
    os.mkfifo(lab.inside / "pipe")
    commands = (["check", "pipe"], ["run", "pipe"], ["inspect", "photos", "-o", "pipe"],
                ["export", "classification", "--data", "photos", "--to", "json", "-o", "pipe"],
                ["runs", "import", "pipe"], ["runs", "list", "--store", "pipe"], ["sweep", "--file", "pipe"],
                ["run", "classification", "--data", "photos", "--batches", "1", "--warmup", "0", "--repeats", "1",
                 "--trace", "pipe"])
    for command in lab.some(commands, 4):
        for kind in lab.some((signal.SIGTERM, signal.SIGINT), 1):
            process = lab.start(*command)
            time.sleep(0.6)
            process.send_signal(kind)
            deadline = time.monotonic() + 8
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            if process.poll() is None:
                process.kill()
                lab.fault(f"`{' '.join(command)}` does not end by {kind.name} while it waits")
            process.communicate()
