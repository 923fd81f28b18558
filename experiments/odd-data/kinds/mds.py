# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""MosaicML's MDS shards."""

import json
import struct

from case import case
from draw import SMALL

COLUMNS = {"column_names": ["img", "label"], "column_encodings": ["jpeg", "int"],
           "column_sizes": [None, 8], "compression": None, "format": "mds", "hashes": [],
           "size_limit": 1 << 26, "version": 2}  # fmt: skip


def shard(labels):
    config = json.dumps(COLUMNS, sort_keys=True).encode()
    bodies = [struct.pack("<I", len(SMALL)) + SMALL + struct.pack("<q", label) for label in labels]
    offsets = [4 + 4 * (len(labels) + 1) + len(config)]
    for body in bodies:
        offsets.append(offsets[-1] + len(body))
    head = struct.pack(f"<{len(offsets) + 1}I", len(labels), *offsets)
    return head + config + b"".join(bodies)


def name(number):
    return f"shard.{number:05}.mds"


def draw(to, promised=0, without=()):
    """Two shards of three samples. The index says that the second one has `promised` more."""
    entries = []
    for number in range(2):
        content = shard(range(3 * number, 3 * number + 3))
        if number not in without:
            to.put(name(number), content)
        samples = 3 + number * promised
        size = len(content) + number * promised * 100
        raw = {"basename": name(number), "bytes": size, "hashes": {}}
        entries.append({**COLUMNS, "samples": samples, "raw_data": raw, "zip_data": None})
    to.put("index.json", json.dumps({"version": 2, "shards": entries}).encode())


@case("two sound shards and their index", "6 samples", samples=6, labels=[0, 1, 2, 3, 4, 5])
def m00_sound(to):
    draw(to)


@case("shards without an index", "6 samples: the shards describe themselves", samples=6,
      labels=[0, 1, 2, 3, 4, 5])
def m01_no_index(to):
    draw(to)
    to.path("index.json").unlink()


@case("a shard that the index lists is missing", "named; the other shard is read",
      said=["1 of its 2 shards is missing", "shard.00000.mds", "3 samples left out"], samples=3,
      labels=[3, 4, 5])
def m03_missing_shard(to):
    draw(to, without={0})


@case("an empty index", "the shards are read without it, and reported",
      said=["index.json: it is empty", "are read without an index"], samples=6,
      labels=[0, 1, 2, 3, 4, 5])
def m04_empty_index(to):
    draw(to)
    to.put("index.json", b"")


@case("an index that is cut off", "the same", said=["are read without an index"], samples=6,
      labels=[0, 1, 2, 3, 4, 5])
def index_cut_off(to):
    draw(to)
    whole = to.path("index.json").read_bytes()
    to.put("index.json", whole[: len(whole) // 2])


@case("an index that promises two samples more than the shard has", "only these two fail",
      said=["not as large as it says"], samples=8, labels=[0, 1, 2, 3, 4, 5],
      failures={f"shard.00001.mds#{number}": "has only 3 samples" for number in (3, 4)})
def index_that_promises_more(to):
    draw(to, promised=2)


@case("a shard of random bytes next to a sound one, without an index",
      "the sound one is read; the other is named", said=["1 of 2 shards", "shard.00001.mds"],
      samples=3, labels=[0, 1, 2])
def damaged_shard(to):
    draw(to, without={1})
    to.path("index.json").unlink()
    to.put(name(1), b"\xff" * 100)
