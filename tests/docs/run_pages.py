#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Runs every command and checks every pipeline that README.md and the pages of docs/ show.

    run_pages.py SOURCE MILLRACE    runs the pages of a source tree with that program
    run_pages.py --self-test        shows that a page with a mistake fails

Each page runs in a separate folder with `photos` in it (unless the page draws them itself), with its own
store, and runs its blocks in order. Commands are lines of blocks marked console, sh, bash or shell,
or not marked, that begin with `millrace` (a `$ ` before it is taken away); measured spans are cut
short, see shorten(). A pipeline is a json block with nodes and wires: it is written to the file that
the text before it names in backticks (`x.millrace.json`) and checked.

An HTML comment right before a block changes what is done for it:

    <!-- test: exits 1 -->            the last command of the block ends with this code
    <!-- test: COMMAND -->            this is run in place of the block
    <!-- test: skip, REASON -->       nothing is run
    <!-- file: mine.millrace.json --> the pipeline's file
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PHOTOS = 24  # pictures; a fifth of them is for validation
SMALL = {"imagenet": PHOTOS, "cats-vs-dogs": 12, "pairs984": 4, "deblurring": 4, "camvid": 8, "objects": 10,
         "chess": 1}
SECONDS = 120  # that a command may take

# ---- What pages show ----


class Block:
    """A fenced block of a page."""

    def __init__(self, line, language, text, before):
        self.line = line  # of the fence, from 1
        self.language = language
        self.text = text
        notes = re.findall(r"<!--\s*(test|file):\s*(.*?)\s*-->\s*", before[-400:], re.DOTALL)
        near = re.search(r"<!--\s*(?:test|file):(?:(?!-->).)*-->\s*\Z", before, re.DOTALL)
        self.test = self.file = ""
        for key, value in notes if near else []:
            setattr(self, key, value)
        if not self.file:
            names = re.findall(r"`([\w./-]+\.millrace\.json)`", before)
            self.file = names[-1] if names else ""

    def commands(self):
        if self.language not in ("console", "sh", "bash", "shell", ""):
            return []
        joined = re.sub(r"\\\n\s*", " ", self.text)
        lines = [re.sub(r"^\s*\$ ", "", line).strip() for line in joined.splitlines()]
        return [line for line in lines if re.match(r"millrace(\s|$)", line)]

    def pipeline(self):
        """The document of a json block; None if it is not a pipeline. Raises if it is not JSON."""
        if self.language != "json":
            return None
        value = json.loads(self.text)
        return value if isinstance(value, dict) and "nodes" in value and "wires" in value else None


def blocks_of(text):
    blocks, before, fence, begun, body = [], [], None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"^\s*(```+|~~~+)\s*([\w-]*)\s*.*$", line)
        if fence is None and mark:
            fence, language, begun, body = mark[1], mark[2], number, []
        elif fence is not None and line.strip().startswith(fence):
            blocks.append(Block(begun, language, "\n".join(body), "\n".join(before)))
            fence, before = None, []
        elif fence is not None:
            body.append(line)
        else:
            before.append(line)
    return blocks


def pages_of(source):
    pages = [source / "README.md"] + sorted((source / "docs").rglob("*.md"))
    return [page for page in pages if page.exists()]


# ---- Running them ----


def shorten(arguments):
    """The same command with spans that take little time: it proves that the command works."""
    if not arguments:
        return arguments
    command, rest = arguments[0], []
    for argument in arguments[1:]:
        flag = re.match(r"(--[\w-]+)=(.*)", argument, re.DOTALL)
        rest += [flag[1], flag[2]] if flag and flag[1] != "--set" else [argument]

    def has(*flags):
        return any(flag in rest for flag in flags)

    def set_to(flag, value):
        if flag in rest:
            rest[rest.index(flag) + 1] = value
        else:
            rest.extend([flag, value])

    if has("--help", "-h") or command not in ("run", "loader", "compare", "diagnose", "sweep", "tune", "sample-data"):
        return arguments
    if command == "sample-data":
        if not has("--list", "--cache"):
            set_to("--count", str(PHOTOS))
        return [command, *rest]
    if command == "tune":
        if not has("--resume", "--replay"):
            set_to("--budget", "4s")
            set_to("--seconds", "0.1")
            set_to("--warmup", "0")
        return [command, *rest]
    if command == "run" and has("--epochs"):
        set_to("--epochs", "1")
    elif not has("--batches", "--cold"):
        set_to("--seconds", "0.2" if command in ("run", "diagnose") else "0.1")
    set_to("--warmup", "0")
    set_to("--repeats", "1")
    return [command, *rest]


class Program:
    """The built program, wrapped by a `millrace` on the path that shortens its measurements."""

    def __init__(self, binary, base):
        self.binary, self.base = binary, base
        (base / "bin").mkdir()
        wrapper = base / "bin" / "millrace"
        wrapper.write_text(
            f"#!{sys.executable}\nimport os, sys\n"
            f"sys.dont_write_bytecode = True\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
            f"from {Path(__file__).stem} import shorten\n"
            f"os.execv({binary!r}, ['millrace', *shorten(sys.argv[1:])])\n")
        wrapper.chmod(0o755)

    def environment(self, folder):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MILLRACE", "XDG_"))}
        return {**kept, "PATH": f"{self.base / 'bin'}:{kept.get('PATH', '')}",
                "HOME": str(self.base / "home"), "XDG_CACHE_HOME": str(self.base / "cache"),
                "XDG_DATA_HOME": str(folder / ".data"), "LC_ALL": "C.UTF-8"}

    def run(self, command, folder):
        """Exit code and output of a shell command."""
        try:
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment(folder),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return 124, f"took longer than {SECONDS} s"
        return done.returncode, done.stdout.decode(errors="replace")

    def draw(self, kind, folder):
        code = subprocess.run([self.binary, "sample-data", str(folder), "--kind", kind, "--count",
                               str(SMALL[kind])], stdout=subprocess.DEVNULL, check=False).returncode
        if code != 0:
            raise SystemExit(f"{self.binary} cannot draw {kind}")

    def prepare(self, source, text):
        """What the pages read, in small: photos, and the sample data that they name."""
        (self.base / "home").mkdir()
        self.draw("imagenet", self.base / "home" / "photos")
        kinds = set(re.findall(r"sample:([\w-]+)", text))
        for example in (source / "resources" / "examples").glob("*.millrace.json"):
            if re.search(rf"\b{example.name.split('.')[0]}\b", text):
                kinds |= set(re.findall(r'"sample:([\w-]+)', example.read_text()))
        for kind in sorted(kinds & set(SMALL)):
            folder = self.base / "cache" / "millrace" / "samples" / kind
            folder.parent.mkdir(parents=True, exist_ok=True)
            self.draw(kind, folder)
            files = [file for file in folder.rglob("*") if file.is_file()]
            # What the program writes beside data that it has drawn whole (core/sample_data).
            (folder / ".millrace-sample").write_text(
                f"{kind} version {version_of(source, kind)}\n{len(files)} files "
                f"{sum(file.stat().st_size for file in files)} bytes\n")


def version_of(source, kind):
    kinds = (source / "core" / "sample_data" / "sample_kinds.cpp").read_text()
    found = re.search(rf'\{{"{kind}",(?:\s*"[^"]*")+,\s*\d+,\s*(\d+),', kinds)
    return found[1] if found else "1"


class Page:
    def __init__(self, path, name, program, out):
        self.name, self.program, self.out = name, program, out
        self.text = path.read_text()
        self.folder = program.base / "pages" / name.replace("/", "-")
        self.passed, self.failures, self.skipped = 0, [], 0

    def run(self):
        self.folder.mkdir(parents=True)
        blocks = blocks_of(self.text)
        if not any("sample-data photos" in block.text for block in blocks):
            (self.folder / "photos").symlink_to(self.program.base / "home" / "photos")
        begun = time.monotonic()
        for block in blocks:
            self.run_block(block)
        self.out(f"{self.name}: {self.passed} passed in {time.monotonic() - begun:.0f} s")
        return self

    def fail(self, block, what):
        self.failures.append(f"{self.name}:{block.line}: {what}")

    def must_end(self, block, command, wanted=0):
        code, output = self.program.run(command, self.folder)
        if code == wanted:
            self.passed += 1
        else:
            self.fail(block, f"exit code {code} in place of {wanted}: {command}\n{output.rstrip()[-2000:]}")

    def run_block(self, block):
        try:
            document = block.pipeline()
        except json.JSONDecodeError as error:
            return self.fail(block, f"no JSON: {error}")
        if document is not None:
            file = block.file or f"block-{block.line}.millrace.json"
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / file).write_text(block.text)
            return self.must_end(block, f"millrace check {file}")
        commands, wanted = block.commands(), 0
        if block.test.startswith("skip,"):
            self.skipped += 1
            return None
        if block.test.startswith("exits "):
            wanted = int(block.test.split()[1])
        elif block.test:
            commands = [block.test]
        for number, command in enumerate(commands, 1):
            self.must_end(block, command, wanted if number == len(commands) else 0)
        return None


def run_pages(source, binary, out=lambda text: print(text, flush=True)):
    with tempfile.TemporaryDirectory(prefix="millrace-docs-") as base:
        program = Program(str(Path(binary).resolve()), Path(base))
        paths = pages_of(source)
        program.prepare(source, "\n".join(path.read_text() for path in paths))
        pages = [Page(path, str(path.relative_to(source)), program, out) for path in paths]
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            pages = list(pool.map(Page.run, pages))
    failures = [failure for page in pages for failure in page.failures]
    for failure in failures:
        out(failure)
    passed = sum(page.passed for page in pages)
    if passed == 0:
        failures.append("no page shows a command")
        out(failures[-1])
    out(f"Totals: {passed} passed, {len(failures)} failed, {sum(page.skipped for page in pages)} skipped")
    return not failures


# ---- That it can fail ----

FAKE = """#!/usr/bin/env bash
# Does what the test of the test needs of the program.
case $1 in
sample-data) mkdir -p "$2/train" && touch "$2/train/a.jpg" ;;
check) grep -q '"kind": "good"' "$2" ;;
good) [[ -e photos ]] ;;
run) [[ $* == *'--seconds 0.2'* && $* == *'--repeats 1'* ]] ;;
*) exit 7 ;;
esac
"""
GOOD = '```json\n{"nodes": [{"kind": "good"}], "wires": []}\n```\n'
CASES = [  # page, whether it passes
    ("```console\nmillrace good\n```\n", True),
    ("```console\n$ millrace good \\\n    --more\nits output\n```\n", True),
    ("```\nmillrace good\n```\n", True),
    ("```console\nmillrace bad\n```\n", False),
    ("```console\nmillrace good\nmillrace bad\n```\n", False),
    ("```sh\nmillrace good && millrace bad\n```\n", False),
    ("<!-- test: exits 7 -->\n```console\nmillrace bad\n```\n", True),
    ("<!-- test: exits 7 -->\n```console\nmillrace good\n```\n", False),
    ("<!-- test: millrace good -->\n```console\nmillrace bad\n```\n", True),
    ("<!-- test: millrace bad -->\n```console\nmillrace good\n```\n", False),
    ("<!-- test: skip, no such machine -->\n```console\nmillrace bad\n```\n\n"
     "```console\nmillrace good\n```\n", True),
    ("<!-- test: exits 7 -->\n\nText.\n\n```console\nmillrace bad\n```\n", False),
    ("```console\nmillrace run x --repeats=9\n```\n", True),
    (GOOD, True),
    (GOOD.replace("good", "bad"), False),
    ("Save it as `a.millrace.json`:\n\n" + GOOD + "```console\nmillrace check a.millrace.json\n```\n", True),
    ("```console\nmillrace check a.millrace.json\n```\n" + GOOD, False),
    ('```json\n{"nodes": [}\n```\n' + GOOD, False),
    ("```python\nmillrace bad\n```\n" + GOOD, True),
    ("No command.\n", False),
]


def self_test():
    failed = 0
    for text, passes in CASES:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            (source / "docs").mkdir()
            (source / "docs" / "page.md").write_text(text)
            (source / "core" / "sample_data").mkdir(parents=True)
            (source / "core" / "sample_data" / "sample_kinds.cpp").write_text("")
            (source / "millrace").write_text(FAKE)
            (source / "millrace").chmod(0o755)
            said = []
            if run_pages(source, source / "millrace", said.append) != passes:
                failed += 1
                print(f"should {'pass' if passes else 'fail'}:\n{text}", *said, sep="\n")
    print(f"Totals: {len(CASES) - failed} passed, {failed} failed, 0 skipped")
    return failed == 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(0 if self_test() else 1)
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(0 if run_pages(Path(sys.argv[1]).resolve(), sys.argv[2]) else 1)
