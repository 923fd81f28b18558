# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""At which share of the decode rate of `millrace run` does `millrace inspect --all` examine photos?

    rate.py MILLRACE PHOTOS [COPIES] [ROUNDS]

Links each photo of the folder PHOTOS COPIES times (100) into one folder. Then, ROUNDS times (5), alternates a
run of source, decode, resize, batch and drain over one epoch with a report without earlier state, both with one
thread for each core and with the files in memory. The rate of a report is its samples over all of its time:
listing, digests of names and stamps, comparison and the page included; only the start of the program is not.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

THREADS = os.cpu_count()


def pipeline(folder):
    """Decodes every picture completely and makes it small, so that pictures of all sizes fit a batch."""
    nodes = [
        {"id": "source", "kind": "image_folder", "params": {"paths": [str(folder)]}},
        {"id": "workers", "kind": "workers", "params": {"count": THREADS}},
        {"id": "decode", "kind": "decode", "params": {"scaling": "full"}},
        {"id": "resize", "kind": "resize", "params": {"height": 8, "width": 9}},
        {"id": "batch", "kind": "batch", "params": {"size": 16}},
        {"id": "drain", "kind": "drain"},
    ]
    wires = [{"from": a["id"], "to": b["id"]} for a, b in zip(nodes, nodes[1:])]
    return {"format_version": 1, "nodes": nodes, "wires": wires}


def printed(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def main():
    millrace, photos = sys.argv[1], Path(sys.argv[2])
    copies = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CACHE_HOME"] = home
        folder = Path(home, "photos")
        folder.mkdir()
        files = sorted(file for file in photos.rglob("*") if file.is_file() and file.suffix.lower() in (".jpg", ".jpeg"))
        for copy in range(copies):
            for file in files:
                (folder / f"{copy}-{file.name}").symlink_to(file.resolve())
        samples = copies * len(files)
        document = Path(home, "decode.millrace.json")
        document.write_text(json.dumps(pipeline(folder)))
        ratios = []
        for turn in range(rounds):
            load = os.getloadavg()[0]
            run = printed(millrace, "run", str(document), "--epochs", "1", "--repeats", "1", "--warmup", "1",
                          "--no-store", "--json")
            report = printed(millrace, "inspect", "--all", str(folder), "--restart", "--json")
            decoded = run["samples_per_second"]["mean"]
            examined = samples / report["seconds"]
            ratios.append(examined / decoded)
            print(f"{turn + 1}: run {decoded:.0f}/s, report {examined:.0f}/s, ratio {ratios[-1]:.3f}, load {load:.1f}",
                  flush=True)
        print(f"{samples} photos, {THREADS} threads: median ratio {statistics.median(ratios):.3f}, "
              f"{min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
