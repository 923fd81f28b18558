#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How long the first batch of a large TFRecord file without an index takes (README.md).

    experiments/formats/first_batch.py MILLRACE [--folder DIR] [--repeats N]

The files have holes where payloads would be, so that 100 GB of them take 7 GB of disk. Prints a
table and writes first_batch.csv next to this file.
"""
import argparse
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
from pipelines import chain, write_table

# bytes of a payload, GB of the file
FILES = [(65536, 1), (65536, 10), (65536, 100), (200, 1), (200, 8)]
WINDOW = ("shuffle", {"mode": "window", "window": 2000})
COLUMNS = ["payload_bytes", "gb", "records", "order", "page_cache", "seconds", "least", "most"]


def crc32c(data):
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def write_file(path, payload, size):
    """Write records of zeros up to `size` bytes; return their number."""
    length = struct.pack("<Q", payload)
    head, foot = length + masked(length), masked(bytes(payload))
    whole = len(head) + payload + len(foot)
    count = size // whole
    with open(path, "wb") as file:
        if payload < 4096:
            block = (head + bytes(payload) + foot) * 4096
            for _ in range(count // 4096):
                file.write(block)
            count = count // 4096 * 4096
        else:
            file.write(head)
            for record in range(1, count):
                file.seek(record * whole - len(foot))
                file.write(foot + head)
            file.seek(count * whole - len(foot))
            file.write(foot)
    return count


def drop(path):
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def seconds(millrace, pipeline):
    begin = time.monotonic()
    subprocess.run([millrace, "run", str(pipeline), "--batches", "1", "--warmup", "0", "--repeats",
                    "1", "--no-store"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("--folder", help="where the files are written: 9 GB")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    rows = []
    for payload, gigabytes in FILES:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as temporary:
            file = pathlib.Path(temporary) / "records.tfrecord"
            records = write_file(file, payload, gigabytes * 10**9)
            for order, shuffle in (("window", WINDOW), ("full", ("shuffle", {}))):
                pipeline = pathlib.Path(temporary) / "first.millrace.json"
                source = ("tfrecord", {"paths": [str(file)], "content": "bytes"})
                pipeline.write_text(json.dumps(chain(source, shuffle, ("batch", {"size": 512}),
                                                     ("drain", {}))))
                for state in ("cold", "warm"):
                    taken = []
                    for _ in range(arguments.repeats):
                        if state == "cold":
                            drop(file)
                        taken.append(seconds(arguments.millrace, pipeline))
                    rows.append(dict(zip(COLUMNS, (
                        payload, gigabytes, records, order, state,
                        f"{statistics.median(taken):.2f}", f"{min(taken):.2f}",
                        f"{max(taken):.2f}"))))
                    print("  ".join(f"{key}={value}" for key, value in rows[-1].items()),
                          flush=True)
    write_table(HERE / "first_batch.csv", COLUMNS, rows)


main()
