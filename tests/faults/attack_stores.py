# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Files that are not stores, and stores that cannot be written: a run continues without them, and they keep their bytes."""

import contextlib
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

from lab import OTHER_USER, attack, digest, only_root

READS = (["runs", "list"], ["runs", "show", "1"], ["runs", "export"], ["runs", "predictions"])
CHANGES = (["runs", "tag", "1", "+a"], ["runs", "note", "1", "x"], ["runs", "delete", "1"],
           ["runs", "restore"], ["runs", "tidy"], ["runs", "baseline", "1"], ["runs", "backup", "copy.db"])


def sqlite_file(path, statement="create table mine (a)", pragmas=""):
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.executescript(f"{statement}; {pragmas}")


def hold(lab, path, codes=(1, 2), unchanged=True, run_codes=(0, 1, 2)):
    """Every command at this store: none crashes, and the file keeps its bytes."""
    before = digest(path)
    for command in (*READS, *CHANGES, ["runs", "import", str(path), "--store", "new.db"]):
        lab.run(*command, *(["--store", str(path)] if "--store" not in command else []), codes=codes)
    lab.measure("--store", str(path), codes=run_codes, says="store|runs\\.db|kept|file|odd")
    if unchanged:
        lab.expect(digest(path) == before, f"{path.name} was changed")


@attack("foreign files as a store: text, SQLite of others, pictures, zeros")
def foreign(lab):
    lab.photos()
    text, other, picture, zeros = (lab.inside / n for n in ("text.db", "other.db", "picture.db", "zeros.db"))
    text.write_text("my diary\n" * 500)
    sqlite_file(other)
    shutil.copy(next(lab.inside.glob("photos/train/*/*.jpg")), picture)
    zeros.write_bytes(bytes(8192))
    for path in lab.some((text, other, picture, zeros), 2):
        hold(lab, path)


@attack("a store of a newer version, and one with a changed schema")
def newer(lab):
    lab.photos()
    lab.measure(codes=(0,))
    future, changed = lab.inside / "future.db", lab.inside / "changed.db"
    lab.run("runs", "backup", str(future), codes=(0,))
    shutil.copy(future, changed)
    sqlite_file(future, "select 1", "pragma user_version = 99")
    sqlite_file(changed, "drop table run_figures", "alter table runs rename column name to title")
    hold(lab, future)
    hold(lab, changed, codes=(0, 1, 2), unchanged=False)


@attack("things that are not files as a store")
def not_files(lab):
    lab.photos()
    (lab.inside / "folder.db").mkdir()
    os.mkfifo(lab.inside / "fifo.db")
    (lab.inside / "loop.db").symlink_to("loop.db")
    (lab.inside / "gone.db").symlink_to("nowhere/at/all.db")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(lab.inside / "odd.db"))
        for name in ("folder.db", "fifo.db", "loop.db", "gone.db", "odd.db", "missing/folder/runs.db",
                     "photos/train", "x" * 300):
            for command in lab.some((["runs", "list"], ["runs", "tag", "1", "+a"], ["runs", "tidy"]), 1):
                lab.run(*command, "--store", name, codes=(0, 1, 2))
            lab.measure("--store", name, codes=(0, 1, 2))


@attack("devices as a store")
def devices(lab):
    lab.photos()
    for name, minor in lab.some((("null", 3), ("full", 7), ("zero", 5)), 1):
        path = lab.device(name, minor)
        for command in (*READS[:2], *CHANGES):
            lab.run(*command, "--store", str(path), codes=(1, 2))
        lab.measure("--store", str(path), codes=(0, 1, 2), says="not a|store|kept")
        lab.expect(path.is_char_device(), f"a device was replaced by a file ({name})")
        lab.expect(not list(lab.inside.glob(f"{name}-*")), f"files were left next to the device {name}")


@attack("a damaged store: cut short, overwritten in the middle, without its log")
def damaged(lab):
    lab.photos()
    for _ in range(3):
        lab.measure(codes=(0,))
    whole = lab.store.read_bytes()
    for place in lab.some((100, 0, 16, 5000, len(whole) // 2, len(whole) - 100), 2):
        for path, data in ((lab.inside / "cut.db", whole[:place]),
                           (lab.inside / "odd.db", whole[:place] + os.urandom(3000) + whole[place + 3000:])):
            path.write_bytes(data)
            for command in lab.some((*READS, *CHANGES[:5]), 4):
                lab.run(*command, "--store", str(path))
            lab.measure("--store", str(path))
            for side in lab.inside.glob(path.name + "-*"):
                side.unlink()


@attack("a read-only store, and a store in a read-only folder, of another user")
def read_only(lab):
    only_root()
    lab.photos()
    lab.measure(codes=(0,))
    lab.inside.chmod(0o755)
    before = digest(lab.store)
    for command in READS[:3]:
        lab.run(*command, codes=(0,), user=OTHER_USER)
    for command in CHANGES:
        lab.run(*command, codes=(1,), user=OTHER_USER)
    lab.measure(codes=(2,), user=OTHER_USER, says="not kept|cannot be written|read-only|permission")
    lab.store.chmod(0o600)
    for command in (*READS, *CHANGES):
        lab.run(*command, codes=(1,), user=OTHER_USER)
    lab.expect(digest(lab.store) == before, "a read-only store was changed")


@attack("a store that another program has locked")
def locked(lab):
    lab.photos()
    lab.measure(codes=(0,))
    with contextlib.closing(sqlite3.connect(lab.store, isolation_level=None)) as other:
        other.execute("begin exclusive")
        lab.run(*READS[0])
        for command in CHANGES[:3] if lab.long else ():  # Each waits for 5 s.
            lab.run(*command, codes=(1,), says="lock")
        lab.measure(codes=(1,), says="lock")
        other.execute("rollback")
    lab.check_store(1)


@attack("a store that vanishes, is replaced or is cut during a run")
def vanishing(lab):
    lab.photos()
    for what in lab.some(("is replaced", "vanishes", "loses its folder", "is cut"), 2):
        folder = lab.inside / what.replace(" ", "_")
        folder.mkdir()
        path = folder / "runs.db"
        process = lab.start(*lab.short(seconds="0.8"), "--store", str(path))
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)
        if what == "is cut":
            os.truncate(path, 5000)
        elif what == "loses its folder":
            shutil.rmtree(folder)
        else:
            path.unlink()
            if what == "is replaced":
                path.write_text("not a store\n")
        out, err = process.communicate(timeout=20)
        lab.expect(process.returncode in (0, 1), f"a store that {what}: exit code {process.returncode}")
        mentioned = "store" in err.decode() or "kept" in err.decode()
        if what == "is cut" and not mentioned:  # SQLite had everything in its journal.
            lab.check_store(1, path)
        else:
            lab.expect(mentioned, f"a store that {what} is not mentioned: {err.decode()} {out.decode()[-200:]}")


@attack("a full disk below the store")
def full(lab):
    lab.photos()
    with lab.small_disk("400k") as disk:
        path = disk / "runs.db"
        lab.measure("--store", str(path), codes=(0,))
        with contextlib.suppress(OSError), open(disk / "rest", "wb") as rest:
            while True:
                rest.write(bytes(4096))
                rest.flush()
        for command in (*READS[:3], *CHANGES):
            lab.run(*command, "--store", str(path), codes=(0, 1))
        lab.measure("--store", str(path), codes=(1, 2), says="full|space|kept")
        (disk / "rest").unlink()
        lab.check_store(1, path)


@attack("a file that may not grow below the store")
def file_limit(lab):
    lab.photos()
    lab.measure(codes=(0,))
    room = lab.store.stat().st_size + 4096
    small = [(resource.RLIMIT_FSIZE, room)]
    for command in (*READS[:3], *CHANGES):
        lab.run(*command, limits=small, codes=(0, 1))
    lab.measure(limits=small, codes=(0, 1))
    lab.run("runs", "restore", "--all", codes=(0, 1))
    lab.check_store(1)


@attack("a run that is stopped by each signal keeps what it measured")
def signals(lab):
    lab.photos()
    for kind in lab.some((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 2):
        process = lab.start(*lab.short(seconds="20"), stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        process.send_signal(kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=8)
        lab.expect(process.returncode in (3, -signal.SIGHUP), f"{kind.name}: exit code {process.returncode}")
    lab.check_store(2)
