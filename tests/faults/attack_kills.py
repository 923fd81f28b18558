# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""kill -9 at a random moment: the store is whole, a target is complete or absent, the next try works."""

import ast
import os
import random
import signal
import subprocess
import time

from lab import attack

CONVERTED = ("tfrecord", "webdataset", "numpy", "lmdb", "mds", "recordio", "hdf5", "folder")

# Each command, with {} for a number that makes its targets new.
SHORT = ["--data", "photos", "--set", "batch.size=4", "--seconds", "0.1", "--warmup", "0", "--no-fingerprint"]
MEASURES = {
    "run": ["run", "classification", *SHORT, "--repeats", "2"],
    "run --dump --trace": ["run", "classification", *SHORT, "--dump", "dump{}", "--trace", "trace{}.json"],
    "run --epochs with a cache": ["run", "classification", "--data", "photos", "--insert", "disk_cache:decode",
                                  "--epochs", "1", "--warmup", "0", "--repeats", "1"],
    "compare": ["compare", "classification", "classification", *SHORT[:-1], "--repeats", "1"],
    "diagnose": ["diagnose", "classification", *SHORT[:-1], "--repeats", "1", "--apply", "faster{}.json"],
    "sweep": ["sweep", "classification", *SHORT[:-1], "--vary", "workers.count=1,2", "--repeats", "1",
              "--csv", "sweep{}.csv"],
    "tune": ["tune", "classification", *SHORT[:-1], "--budget", "2s", "-o", "best{}.json"],
}
WRITES = {
    "preview": ["preview", "classification", "--data", "photos", "-o", "look{}"],
    "inspect": ["inspect", "photos", "-o", "mine{}.json"],
    "export": ["export", "classification", "--data", "photos", "--to", "json", "-o", "code{}.json"],
    "sample-data": ["sample-data", "drawn{}", "--count", "12"],
    "runs tag": ["runs", "tag", "1", "+t{}"],
    "runs note": ["runs", "note", "1", "note {}"],
    "runs delete": ["runs", "delete", "number=2"],
    "runs restore": ["runs", "restore", "--all"],
    "runs baseline": ["runs", "baseline", "1"],
    "runs import": ["runs", "import", "other.db"],
    "runs backup": ["runs", "backup", "copy{}.db"],
    "runs tidy": ["runs", "tidy"],
    "runs export": ["runs", "export", "--to", "json", "-o", "runs{}.json"],
    "runs compare": ["runs", "compare", "1", "2", "--html", "page{}.html"],
}


def killed(lab, arguments, after):
    """Start it and kill it after so many seconds."""
    process = lab.start(*arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.wait()


def check_targets(lab, number):
    """What a killed command left at the names it was given is whole."""
    for name in (f"faster{number}.json", f"best{number}.json", f"mine{number}.json", f"code{number}.json",
                 f"runs{number}.json", f"trace{number}.json"):
        if (lab.inside / name).exists():
            lab.check_json(lab.inside / name, name)
    page = lab.inside / f"page{number}.html"
    if page.exists():
        lab.expect("</html>" in page.read_text(), "a page was left in part")
    copy = lab.inside / f"copy{number}.db"
    if copy.exists():
        lab.check_store(2, copy)
    for array in lab.inside.glob(f"dump{number}/*.npy"):
        lab.expect(whole_array(array), f"{array.name} was left in part")
    for picture in lab.inside.glob(f"look{number}/*.png"):
        lab.expect(picture.read_bytes()[-8:-4] == b"IEND", f"{picture.name} was left in part")


def whole_array(path):
    """Whether a .npy file has as many bytes as its head promises."""
    data = path.read_bytes()
    head = int.from_bytes(data[8:10], "little") if len(data) >= 10 else 0
    if data[:6] != b"\x93NUMPY" or len(data) < 10 + head:
        return False
    described = ast.literal_eval(data[10:10 + head].decode())
    items = 1
    for side in described["shape"]:
        items *= side
    return len(data) == 10 + head + items * int(described["descr"][2:])


def kill_often(lab, commands, times):
    lab.photos()
    for _ in range(2):
        lab.measure(codes=(0,))
    lab.run("runs", "backup", "other.db", codes=(0,))
    draw = random.Random(int(os.environ.get("MILLRACE_FAULTS_SEED", "1")))
    for name in lab.some(commands, 7 if commands is WRITES else 2):
        command = commands[name]
        began = time.monotonic()
        lab.run(*[a.format("x") for a in command], limit=60, codes=(0, 1))
        whole = time.monotonic() - began
        for number in range(times):
            killed(lab, [a.format(f"_{name[-3:]}{number}") for a in command], draw.uniform(0, whole))
            check_targets(lab, f"_{name[-3:]}{number}")
        lab.expect_none_running(f"`{name}` left processes running after a kill")
        lab.check_store(2)
        lab.run(*[a.format("y") for a in command], limit=60, codes=(0, 1))


@attack("every command that measures is killed")
def measuring(lab):
    kill_often(lab, MEASURES, 100 if lab.long else 1)


@attack("every command that writes is killed")
def writing(lab):
    kill_often(lab, WRITES, 100 if lab.long else 1)


@attack("conversions are killed, resumed and read back")
def conversions(lab):
    lab.photos(count=200 if lab.long else 60)
    draw = random.Random(int(os.environ.get("MILLRACE_FAULTS_SEED", "2")))
    for kind in lab.some(CONVERTED, 3):
        command = ["convert", "photos", "{}", "--to", kind]
        if kind in ("numpy", "hdf5"):
            command += ["--resize", "16x16", "--raw"]
        began = time.monotonic()
        lab.run(*[a.format(f"{kind}_whole") for a in command], codes=(0,), limit=60)
        whole = time.monotonic() - began
        for number in range(100 if lab.long else 1):
            target = f"{kind}_{number}"
            killed(lab, [a.format(target) for a in command], draw.uniform(0, whole))
            resume_and_verify(lab, [a.format(target) for a in command], target)


def resume_and_verify(lab, command, target):
    """A target that is there after a kill is complete; one that is not is made by --resume."""
    if (lab.inside / target).exists():
        lab.run("inspect", target, codes=(0,))
    else:
        lab.run(*command, "--resume", "--verify", codes=(0,), limit=60)
    left = [p.name for p in lab.inside.iterdir() if p.name.startswith(f".{target}") or target + "." in p.name]
    lab.expect((lab.inside / target).exists(), f"{target} is missing after --resume")
    lab.expect(not [n for n in left if "partial" in n], f"unfinished files were left beside {target}: {left}")
