#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Walks with some of `loaders/` the way of a new user: what limits it, other arguments, a pipeline, and back.

usage: walk.py MILLRACE PYTHON NAME...

Prints each command with the end of its output. PYTHON is an interpreter with what the loaders import.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import translate


def step(folder, millrace, *words):
    print("$ millrace %s" % " ".join(words), flush=True)
    begin = time.monotonic()
    done = subprocess.run([millrace, *words], cwd=folder, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).rstrip().splitlines()
    for line in lines[-30:]:
        print("  " + line)
    print("  [%.0f s, exit code %d]\n" % (time.monotonic() - begin, done.returncode), flush=True)


def walk(folder, millrace, python, name):
    shutil.copy(translate.LOADERS / (name + ".py"), folder)
    loader, pipeline, back = name + ".py:loader", name + ".millrace.json", name + "_back.py"
    own = ["--python", python]
    step(folder, millrace, "diagnose", loader, *own, "--seconds", "2", "--warmup", "1", "--repeats", "1", "--no-store")
    step(folder, millrace, "tune", loader, *own, "--seconds", "1")
    step(folder, millrace, "import", loader, *own, "-o", pipeline)
    step(folder, millrace, "compare", loader, pipeline, *own, "--seconds", "2", "--warmup", "1", "--repeats", "5",
         "--no-store")
    step(folder, millrace, "export", pipeline, "--to", "pytorch", "-o", back)
    step(folder, millrace, "run", back + ":make_loader", *own, "--seconds", "2", "--warmup", "1", "--repeats", "1",
         "--no-store")


def main():
    millrace, python, *names = sys.argv[1:]
    # Not resolved: the link is what makes it the interpreter of its environment.
    millrace, python = os.path.abspath(millrace), os.path.abspath(python)
    with tempfile.TemporaryDirectory() as folder:
        translate.prepare(millrace, Path(folder))
        for name in names:
            walk(Path(folder), millrace, python, name)


if __name__ == "__main__":
    main()
