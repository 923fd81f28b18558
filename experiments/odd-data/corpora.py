# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Are the pictures that codec projects test with named or decoded, without a crash, under the sanitizers?

    corpora.py MILLRACE FOLDER...

MILLRACE is built with `cmake --preset asan && ninja -C build/asan millrace`. Each FOLDER holds the pictures of
one project, such as a clone of it. Examines it whole, then decodes it three times: as RGB, as grey, and with
every page and frame as a sample, cut files filled and CMYK profiles applied. Prints a line for each step: exit
status, seconds of processor time, peak memory, and the samples of each format; a finding of a sanitizer is printed.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 900  # seconds for one step; more is a hang
FORMS = {"rgb": {}, "grey": {"form": "grey"}, "pages": {"truncated": "grey", "cmyk": "profile"}}


def pipeline(folder, step):
    source = {"paths": [str(folder)]} | ({"pages": "each"} if step == "pages" else {})
    nodes = [("image_folder", source), ("workers", {"count": 2}), ("decode", FORMS[step]),
             ("resize", {"height": 33, "width": 29}), ("batch", {"size": 16}), ("drain", {})]  # fmt: skip
    listed = [{"id": kind, "kind": kind, "params": params} for kind, params in nodes]
    wires = [{"from": a["id"], "to": b["id"]} for a, b in zip(listed, listed[1:])]
    return {"format_version": 1, "nodes": listed, "wires": wires}


def run(name, command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT)
    except subprocess.TimeoutExpired:
        print(f"{name}: does not end within {LIMIT} s", flush=True)
        return None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime - before.ru_utime
    print(f"{name}: exit {done.returncode}, {seconds:.1f} s, at most {used.ru_maxrss // 1024} MB", flush=True)
    for mark in ("ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:"):
        if mark in done.stderr:
            print(done.stderr[done.stderr.index(mark):][:2000], flush=True)
    return done


def main():
    millrace, folders = sys.argv[1], [Path(folder).resolve() for folder in sys.argv[2:]]
    os.environ["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"XDG_CACHE_HOME": home, "XDG_STATE_HOME": home, "XDG_DATA_HOME": home}
        for folder in folders:
            done = run(f"{folder.name} examined", [millrace, "inspect", "--all", "--json", str(folder)])
            if done is not None and done.returncode == 0:
                for found in json.loads(done.stdout)["sets"]:
                    print(f"  {found['samples']} files: {found['formats']}")
            for step in FORMS:
                document = Path(home, "corpus.millrace.json")
                document.write_text(json.dumps(pipeline(folder, step)))
                run(f"{folder.name} {step}",
                    [millrace, "run", str(document), "--max-failures", "100%", "--epochs", "1", "--no-store"])  # fmt: skip


if __name__ == "__main__":
    main()
