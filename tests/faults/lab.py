# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What attacks share: a separate folder, a program to run in it, and what must hold after each run."""

import contextlib
import hashlib
import json
import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

OTHER_USER = 65534
LIMIT = 10 * float(os.environ.get("MILLRACE_FAULTS_PATIENCE", "1"))  # seconds; sanitizers are slow
SANITIZED = os.environ.get("MILLRACE_FAULTS_SANITIZED", "0") == "1"  # such a program needs terabytes of addresses
ATTACKS = []

# What no user may see: the words of a library, a language or a debugger in place of a sentence.
RAW = re.compile(
    r"terminate called|what\(\)|std::|bad_alloc|Assertion|core dumped|Segmentation fault|basic_string"
    r"|nlohmann|json\.exception|Sanitizer|runtime error:|stack trace|errno|Unknown error|vector::"
    r"|H5[A-Z][a-z]+_|MDB_[A-Z]|SQLITE_[A-Z]|\b0x[0-9a-f]{9,}",
)
BARE = re.compile(r"^(error: )?(No such file or directory|Permission denied|Is a directory|[\w ]{1,24})\.?$")


class Skip(Exception):
    """This machine or user cannot make the attack; the reason is the text."""


@dataclass
class Attack:
    kind: str
    name: str
    run: Callable


def attack(name):
    """Register a function that takes a Lab as an attack of its file's kind."""

    def register(function):
        ATTACKS.append(Attack(function.__module__, name, function))
        return function

    return register


@dataclass
class Outcome:
    code: int
    out: str
    err: str
    seconds: float


def only_root():
    if os.geteuid() != 0:
        raise Skip("needs root")


def digest(path):
    """What a file or link holds; None for what cannot be read as one."""
    if path.is_symlink():
        return os.readlink(path)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def tree(folder):
    return {str(p.relative_to(folder)): digest(p) for p in sorted(Path(folder).rglob("*"))}


class Lab:
    """`inside` is where the program runs. `outside`, next to it, must never change."""

    def __init__(self, program, long):
        self.top = Path(tempfile.mkdtemp(prefix="millrace-faults-"))
        self.top.chmod(0o755)
        self.program, self.long = program, long
        self.inside, self.outside, self.temporary = (self.top / n for n in ("inside", "outside", "tmp"))
        for folder in (self.inside, self.outside, self.temporary):
            folder.mkdir()
        (self.outside / "photo.jpg").write_bytes(b"not yours")
        (self.outside / "notes.txt").write_text("not yours\n")
        self.untouched = tree(self.outside)
        self.store = self.inside / "runs.db"
        self.faults, self.runs, self.mounts, self.sent = [], 0, [], []
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("MILLRACE_S", "MILLRACE_B", "XDG"))}
        self.environment.update(
            MILLRACE_STORE=str(self.store), HOME=str(self.top / "home"), TMPDIR=str(self.temporary),
            XDG_DATA_HOME=str(self.inside / "share"), XDG_CACHE_HOME=str(self.inside / "cache"),
            MILLRACE_FAULTS_LAB=str(self.top), LC_ALL="C.UTF-8")

    def some(self, values, count):
        """All of these in the long form; in the short one, so many of them, spread over the list."""
        values = list(values)
        if self.long or len(values) <= count:
            return values
        return [values[i * len(values) // count] for i in range(count)]

    # ---- Running ----

    def start(self, *arguments, user=None, limits=(), env=None, **options):
        """Start the program; `limits` are pairs of a resource and its largest value."""

        def prepare():
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it
            for which, value in limits:
                resource.setrlimit(which, (value, value))

        self.runs += 1
        extra = {"user": user, "group": user, "extra_groups": []} if user else {}
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   "cwd": self.inside, **options}
        return subprocess.Popen(
            [self.program, *arguments], env={**self.environment, **(env or {})},
            preexec_fn=prepare, start_new_session=True, **extra, **options)

    def run(self, *arguments, codes=(0, 1, 2), says=None, limit=LIMIT, sends=None, silent=False,
            **options):
        """Run to the end, and hold it to what every run must keep: time, exit code and words."""
        what = " ".join(os.fsencode(a).decode("utf-8", "backslashreplace")[:80] for a in map(str, arguments))
        started = time.monotonic()
        if sends is not None:
            options["stdin"] = subprocess.PIPE
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(sends, timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            self.fault(f"`{what}` took longer than {limit:.0f} s", err)
        ended = Outcome(process.returncode, *((t or b"").decode(errors="replace") for t in (out, err)),
                        time.monotonic() - started)
        self.judge(what, ended, codes, says, silent)
        return ended

    def judge_process(self, what, process, limit, codes):
        """Wait for a process of `start`, and hold it to the rules of a run."""
        began = time.monotonic()
        out, err = process.communicate(timeout=limit)
        ended = Outcome(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"),
                        time.monotonic() - began)
        self.judge(what, ended, codes)
        return ended

    def judge(self, what, ended, codes, says=None, silent=False):
        if ended.code not in codes:
            self.fault(f"`{what}` exited with {ended.code}, not with {' or '.join(map(str, codes))}",
                       ended.err or ended.out[-300:])
        elif ended.code in (1, 2) and not silent:
            self.check_sentence(what, ended)
        raw = RAW.search(ended.err) or RAW.search(ended.out)
        if raw:
            self.fault(f"`{what}` printed `{raw[0]}`", ended.err or ended.out)
        if says and not re.search(says, ended.err + ended.out):
            self.fault(f"`{what}` did not say `{says}`", ended.err or ended.out)

    def check_sentence(self, what, ended):
        text = ended.err.strip() or ended.out.strip()
        first = text.splitlines()[0] if text else ""
        if not text:
            self.fault(f"`{what}` failed with {ended.code} and no word")
        elif BARE.match(first) and len(text.splitlines()) == 1:
            self.fault(f"`{what}` failed without a sentence", text)

    def fault(self, sentence, text=""):
        text = text.decode(errors="replace") if isinstance(text, bytes) else text or ""
        shown = text.strip()[-700:]
        self.faults.append(sentence + (":\n" + "\n".join("| " + t for t in shown.splitlines()) if shown else ""))

    def expect(self, holds, sentence):
        if not holds:
            self.fault(sentence)
        return holds

    # ---- What is there to attack ----

    def photos(self, name="photos", count=24):
        folder = self.inside / name
        self.run("sample-data", str(folder), "--count", str(count), codes=(0,))
        return folder

    def converted(self, source, target, *flags):
        self.run("convert", str(source), str(target), *flags, codes=(0,))
        return self.inside / target

    def measure(self, *arguments, command="run", pipeline="classification", data="photos", seconds="0.1",
                **options):
        """A command that measures, as short as it can be."""
        return self.run(*self.short(command, pipeline, data, seconds), *arguments, **options)

    @staticmethod
    def short(command="run", pipeline="classification", data="photos", seconds="0.1"):
        small = ["--set", "batch.size=4"] if pipeline == "classification" else []
        return [command, pipeline, *(["--data", data] if data else []), *small, "--seconds", seconds,
                "--warmup", "0", "--repeats", "1"]

    def proposed(self, data, name="mine.millrace.json", **options):
        """A pipeline for this data, as inspect proposes it."""
        self.run("inspect", str(data), "-o", name, "--force", **options)
        return name

    def device(self, name, minor):
        """A device of the lab's own, as /dev/null (3), /dev/zero (5) and /dev/full (7): the program must
        never be given the machine's."""
        only_root()
        path = self.inside / name
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        except PermissionError:
            raise Skip("root may make no device here (mknod), as in a container") from None
        path.chmod(0o666)
        try:
            path.open("rb").close()
        except PermissionError:
            raise Skip(f"no device can be opened in {self.inside}: its file system is mounted with nodev") from None
        return path

    @contextlib.contextmanager
    def small_disk(self, size="1m"):
        only_root()
        place = self.inside / "disk"
        place.mkdir(exist_ok=True)
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=777", "none", place],
                              capture_output=True, check=False)
        if made.returncode:
            raise Skip("a tmpfs cannot be mounted here")
        self.mounts.append(place)
        try:
            yield place
        finally:
            subprocess.run(["umount", "-l", place], check=False)
            self.mounts.remove(place)

    # ---- What must hold ----

    def check_store(self, least=0, store=None):
        """The store opens, is whole, and has at least so many runs."""
        path = store or self.store
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as kept:
            whole = kept.execute("pragma integrity_check").fetchall()
            self.expect(whole == [("ok",)], f"the store is damaged: {whole[:3]}")
            runs = kept.execute("select count(*) from runs").fetchone()[0]
        self.expect(runs >= least, f"the store has {runs} runs and should have {least}")
        listed = self.run("runs", "list", "--all", "--json", "--store", str(path), codes=(0,))
        with contextlib.suppress(ValueError):
            json.loads(listed.out)
            return runs
        self.fault("`runs list --json` is not JSON", listed.out)
        return runs

    def check_json(self, path, what):
        try:
            return json.loads(Path(path).read_text())
        except (ValueError, OSError) as error:
            return self.fault(f"{what} is not a whole JSON file: {error}")

    def left_running(self):
        """The processes of this lab, by their environment."""
        mark, found = f"MILLRACE_FAULTS_LAB={self.top}".encode(), []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if mark in (entry / "environ").read_bytes() and state not in "ZX":
                    found.append(int(entry.name))
        return found

    def finish(self):
        """What holds at the end of every attack: nothing written outside, no process left running."""
        if tree(self.outside) != self.untouched:
            self.fault(f"files outside were changed: {tree(self.outside)}")
        strange = {p.name for p in self.top.iterdir()} - {"inside", "outside", "tmp", "home"}
        self.expect(not strange, f"files outside were made: {sorted(strange)}")
        self.expect_none_running("processes were left running")

    def expect_none_running(self, sentence):
        deadline = time.monotonic() + 3
        while self.left_running() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.expect(not self.left_running(), sentence)

    def remove(self):
        for process in self.left_running():
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        for place in self.mounts:
            subprocess.run(["umount", "-l", place], check=False)
        # Not by shutil.rmtree, which recurses: the folders of an attack may be deeper than Python's stack.
        subprocess.run(["rm", "-rf", self.top], check=False, stderr=subprocess.DEVNULL)
