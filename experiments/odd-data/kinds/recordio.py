# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""RecordIO files of MXNet."""

import struct

from case import case
from draw import SMALL

MAGIC = 0xCED7230A


def part(content):
    return struct.pack("<II", MAGIC, len(content)) + content + bytes(-len(content) % 4)


def record(flag, label, number, body, labels=()):
    head = struct.pack("<IfQQ", flag, label, number, 0)
    return part(head + struct.pack(f"<{len(labels)}f", *labels) + body)


def draw(to, records, line_end="\n"):
    offset, index = 0, ""
    for number, content in enumerate(records):
        index += f"{number}\t{offset}{line_end}"
        offset += len(content)
    to.put("train.rec", b"".join(records))
    to.put("train.idx", index.encode())


@case("records about other records, as face data sets have them", "3 samples of 5 records",
      said=["2 records about other records"], samples=3, values={"labels": [[1, 0], [2, 0], [3, 0]]})
def r01_header_records(to):
    faces = [record(2, 0.0, i, SMALL, (float(i), 0.0)) for i in range(1, 4)]
    draw(to, [record(2, 0.0, 0, b"", (4.0, 6.0)), *faces, record(2, 0.0, 4, b"", (1.0, 4.0))])


@case("three labels a record", "a field of three floats", said=["labels f32 3"], samples=3,
      values={"labels": [[0, 2, 5], [1, 2, 5], [2, 2, 5]]})
def r02_several_labels(to):
    draw(to, [record(3, 0.0, i, SMALL, (float(i), 2.0, 5.0)) for i in range(3)])


@case("an index with CRLF", "3 samples", samples=3, labels=[0, 1, 2])
def r03_index_with_crlf(to):
    draw(to, [record(0, float(i), i, SMALL) for i in range(3)], "\r\n")


@case("a record whose length is past the end", "the first is read; the other fails, by its byte",
      said=["the record at byte"], samples=2, labels=[0], failures={"train.rec#1": "at byte"})
def r04_long_record(to):
    long = struct.pack("<II", MAGIC, (1 << 29) - 1) + b"x" * 64
    draw(to, [record(0, 0.0, 0, SMALL), long])


@case("a record without a picture among others", "only this one fails", samples=3,
      labels=[0, 2], failures={"train.rec#1": ""})
def record_without_picture(to):
    bodies = (SMALL, b"", SMALL)
    draw(to, [record(0, float(i), i, body) for i, body in enumerate(bodies)])


@case("two labels in one of three records", "only this one fails, the others have their class",
      said=["1 of the 3 pictures examined"], samples=3, labels=[0, 2],
      failures={"train.rec#1": "not a class"})
def two_labels_in_one_picture(to):
    draw(to, [record(0, 0.0, 0, SMALL), record(2, 0.0, 1, SMALL, (1.0, 2.0)),
              record(0, 2.0, 2, SMALL)])  # fmt: skip
