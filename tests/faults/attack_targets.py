# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Targets that cannot be written: full, read-only, missing, of the wrong kind, already there."""

import contextlib
import fcntl
import os
import resource
import shutil

from lab import OTHER_USER, attack, only_root, tree

# What writes, with {} for the target. FILES write one file, FOLDERS a folder.
FILES = {
    "trace": ["run", "classification", "--data", "photos", "--batches", "2", "--warmup", "0", "--repeats", "1",
              "--no-store", "--trace", "{}"],
    "inspect": ["inspect", "photos", "-o", "{}"],
    "export": ["export", "classification", "--data", "photos", "--to", "json", "-o", "{}"],
    "backup": ["runs", "backup", "{}"],
    "runs export": ["runs", "export", "-o", "{}"],
    "page": ["runs", "compare", "1", "2", "--html", "{}"],
    "tar": ["convert", "photos", "{}", "--to", "webdataset"],
    "tfrecord": ["convert", "photos", "{}", "--to", "tfrecord"],
    "recordio": ["convert", "photos", "{}", "--to", "recordio"],
    "hdf5": ["convert", "photos", "{}", "--to", "hdf5", "--resize", "16x16", "--raw"],
    "npy": ["convert", "photos", "{}", "--to", "numpy", "--resize", "16x16", "--raw"],
    "pipeline of a conversion": ["convert", "photos", "{}.mds", "--to", "mds", "-o", "{}"],
    "csv of a sweep": ["sweep", "classification", "--data", "photos", "--vary", "workers.count=1,2",
                       "--seconds", "0.05", "--warmup", "0", "--repeats", "1", "--no-store", "--csv", "{}"],
}
FOLDERS = {
    "dump": ["run", "classification", "--data", "photos", "--batches", "2", "--warmup", "0", "--repeats", "1",
             "--no-store", "--dump", "{}"],
    "preview": ["preview", "classification", "--data", "photos", "-o", "{}"],
    "sample-data": ["sample-data", "{}", "--count", "12"],
    "lmdb": ["convert", "photos", "{}", "--to", "lmdb"],
    "mds": ["convert", "photos", "{}", "--to", "mds"],
    "folder": ["convert", "photos", "{}", "--to", "folder"],
    "shards": ["convert", "photos", "{}", "--to", "webdataset", "--shard-size", "64K"],
}

NEVER_FORCED = ("run", "sweep", "preview", "sample-data")


def two_runs(lab):
    lab.photos()
    for _ in range(2):
        lab.measure(codes=(0,))


def everything(lab, make_target, codes=(1, 2), commands=None, **options):
    """Each command at a target that is made for it; how each ended."""
    ended = {}
    commands = commands or {**FILES, **FOLDERS}
    for name in lab.some(commands, 7):
        command = commands[name]
        target = str(make_target(name.replace(" ", "_")))
        ended[name] = lab.run(*[a.format(target) for a in command], codes=codes, **options)
    return ended


@attack("a full disk below every target")
def full(lab):
    two_runs(lab)
    with lab.small_disk("64k") as disk:
        with contextlib.suppress(OSError), open(disk / "rest", "wb") as rest:
            while True:
                rest.write(bytes(4096))
                rest.flush()
        before = tree(disk)
        everything(lab, lambda name: disk / name, says="[Nn]o space|full|No space left|cannot|store")
        # What --resume needs may stay (NAME.part); an empty folder is no half target.
        left = [k for k, v in tree(disk).items() if k not in before and ".part" not in k and v is not None]
        lab.expect(not left, f"targets were left in part on a full disk: {sorted(left)}")


@attack("a disk that fills up while a target is written")
def filling(lab):
    two_runs(lab)
    with lab.small_disk("200k") as disk:
        commands = {**FILES, **FOLDERS}
        for name in lab.some(commands, 8):
            command, target = commands[name], disk / name.replace(" ", "_")
            ended = lab.run(*[a.format(str(target)) for a in command], codes=(0, 1))
            if ended.code == 1 and "convert" in command:
                lab.expect(not target.exists(), f"{name}: a target was left in part")
            for path in list(disk.iterdir()):
                lab.expect(path.name == target.name or "partial" in path.name or ended.code == 0,
                           f"{name} left {path.name}")
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@attack("a file that may not grow, for every target")
def file_limit(lab):
    two_runs(lab)
    for limit in lab.some((0, 4096, 50_000), 1):
        everything(lab, lambda name: lab.inside / f"{name}{limit}", codes=(0, 1),
                   limits=[(resource.RLIMIT_FSIZE, limit)])


@attack("a target in a folder of another user, and a target that another user owns")
def no_permission(lab):
    only_root()
    two_runs(lab)
    closed = lab.inside / "closed"
    closed.mkdir()
    before = tree(lab.inside)
    everything(lab, lambda name: closed / name, user=OTHER_USER, says="ermission|read-only")
    (closed / "theirs").write_text("theirs\n")
    everything(lab, lambda name: closed / "theirs", user=OTHER_USER)
    (closed / "theirs").unlink()
    lab.expect({k: v for k, v in tree(lab.inside).items() if "runs.db" not in k} ==
               {k: v for k, v in before.items() if "runs.db" not in k}, "something was written")


@attack("a target that already exists")
def there(lab):
    two_runs(lab)
    full = lab.inside / "full"
    (full / "deep").mkdir(parents=True)
    (full / "deep" / "mine.txt").write_text("mine\n")
    file = lab.inside / "mine.txt"
    file.write_text("mine\n")
    everything(lab, lambda name: file, commands={k: c for k, c in {**FILES, **FOLDERS}.items()
                                                 if k not in ("trace", "csv of a sweep")})
    everything(lab, lambda name: full, commands={k: c for k, c in {**FILES, **FOLDERS}.items()
                                                 if k not in ("dump", "preview")})
    everything(lab, lambda name: full, commands={k: FOLDERS[k] for k in ("dump", "preview")}, codes=(0, 1, 2))
    lab.expect(file.read_text() == "mine\n", "a file that was there has been replaced")
    lab.expect((full / "deep" / "mine.txt").exists(), "a folder that was there has been replaced")


@attack("targets of odd kinds: devices, pipes, loops, missing folders, too long names")
def odd(lab):
    two_runs(lab)
    os.mkfifo(lab.inside / "pipe")
    reader = os.open(lab.inside / "pipe", os.O_RDWR | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)
    (lab.inside / "loop").symlink_to("loop")
    kinds = ("pipe", "loop", "missing/folder/x", "mine.txt/x", "n" * 300, "")
    (lab.inside / "mine.txt").write_text("mine\n")
    for target in lab.some(kinds, 3):
        everything(lab, lambda name: target, codes=(0, 1, 2))
    os.close(reader)
    lab.expect((lab.inside / "pipe").is_fifo(), "a pipe was replaced by a file")
    lab.expect((lab.inside / "loop").is_symlink(), "a link was replaced by a file")


@attack("devices as a target: written to or refused, never replaced")
def devices(lab):
    two_runs(lab)
    for name, minor in lab.some((("null", 3), ("full", 7)), 1):
        path = lab.device(name, minor)
        everything(lab, lambda _: path, codes=(0, 1, 2))
        forced = {k: [*c, "--force"] for k, c in {**FILES, **FOLDERS}.items() if c[0] not in NEVER_FORCED}
        everything(lab, lambda _: path, codes=(0, 1, 2), commands=forced)
        lab.expect(path.is_char_device(), f"a device was replaced by a file ({name})")


@attack("output that cannot be written: closed, full, a pipe without a reader")
def streams(lab):
    two_runs(lab)
    commands = (["runs", "list"], ["runs", "list", "--json"], ["runs", "show", "1"], ["nodes"], ["help", "run"],
                ["check", "classification", "--data", "photos"], ["plan", "classification", "--data", "photos"], ["inspect", "photos"], ["doctor"],
                ["export", "classification", "--to", "python"], ["completion", "bash"], ["--help"], ["--version"],
                ["runs", "compare", "1", "2"], ["preview", "classification", "--data", "photos"],
                lab.short(), [*lab.short(), "--json"], [*lab.short(), "--events"])
    for command in lab.some(commands, 6):
        with open("/dev/full", "wb") as full:
            lab.run(*command, stdout=full, codes=(1,))
            lab.run(*command, stderr=full, codes=(0,))
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as gone:
            lab.run(*command, stdout=gone, codes=(0, 1), silent=True)
