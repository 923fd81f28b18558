#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Methods of having many reads in flight, on bare files: threads, O_DIRECT, io_uring.

    experiments/formats/read_methods.py FOLDER [--files N] [--bytes N] [--blocks N]

Writes N files of random bytes below FOLDER, on the disk to measure, and removes them at the end.
Each method reads all of them once a block, in a new random order, with their pages dropped before
and with all of them in the page cache. Prints a line for each method and writes read_methods.csv
next to this file.
"""
import argparse
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

from format_bench import ratio, write_table

HERE = pathlib.Path(__file__).parent
WAYS = [("pread", 2), ("pread", 16), ("pread", 64), ("direct", 16), ("direct", 64),
        ("willneed", 16), ("willneed", 64), ("uring", 16), ("uring", 64), ("uring-direct", 64)]
COLUMNS = ["storage", "way", "depth", "files_per_second", "ratio"]


def compiled(folder):
    program = folder / "read_methods"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "read_methods.c", "-lpthread"], check=True)
    return program


def written(folder, count, size):
    files = []
    for i in range(count):
        files.append(folder / f"{i:05}.bin")
        with open(files[-1], "wb") as file:
            file.write(os.urandom(size))
            os.fsync(file.fileno())
    return files


def bring(files, into_cache):
    """Drops the files' pages, or reads them in."""
    for path in files:
        with open(path, "rb") as file:
            if into_cache:
                file.read()
            else:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def rate(program, way, depth, files, size):
    listed = "".join(f"{size} {path}\n" for path in files)
    done = subprocess.run([program, way, str(depth)], input=listed, check=True, capture_output=True,
                          text=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--bytes", type=int, default=110_000)
    parser.add_argument("--blocks", type=int, default=5, choices=range(2, 11))
    arguments = parser.parse_args()
    order, rows = random.Random(1), []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
        folder = pathlib.Path(temporary)
        program = compiled(folder)
        files = written(folder, arguments.files, arguments.bytes)
        for storage, cached in (("disk", False), ("page cache", True)):
            found = {way: [] for way in WAYS}
            for _ in range(arguments.blocks):
                for way in order.sample(WAYS, len(WAYS)):
                    bring(files, cached)
                    shuffled = order.sample(files, len(files))
                    found[way].append(rate(program, *way, shuffled, arguments.bytes))
            for (way, depth), rates in found.items():
                rows.append({"storage": storage, "way": way, "depth": depth,
                             "files_per_second": f"{statistics.fmean(rates):.0f}",
                             "ratio": "{:.2f} [{:.2f}, {:.2f}]".format(*ratio(rates,
                                                                              found[WAYS[0]]))})
                print("  ".join(f"{key}={rows[-1][key]}" for key in COLUMNS), flush=True)
    write_table(HERE / "read_methods.csv", COLUMNS, rows)


main()
