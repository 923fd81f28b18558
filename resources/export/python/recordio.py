# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import os
import struct

import numpy as np

MAGIC = struct.pack("<I", 0xCED7230A)


class RecordIo(Records):
    """Records of MXNet's files: with labels and a picture, or their bytes."""

    def __init__(self, paths, fields):
        files = shard_files(paths, lambda name: name.endswith(".rec"))
        pictures = "record" not in fields
        self.places = [recordio_places(path, pictures) for path in files]
        super().__init__(files, map(len, self.places), fields)

    def name(self, index):
        file, record = self.find(index)
        key = self.places[file][record][0]
        return f"{os.path.basename(self.paths[file])}#{key}"

    def __getitem__(self, index):
        file, record = self.find(index)
        data = recordio_record(self.paths[file], self.places[file][record][1])
        if "record" in self.fields:
            return {"record": data}
        labels, content = labelled(data)
        if not content:
            raise ValueError(f"{self.name(index)} has a label but no picture")
        values = {}
        for name, field in self.fields.items():
            if not field.dtype:
                values[name] = content
            elif field.dtype == "int64":
                values[name] = labels.astype(np.int64).reshape(())
            else:
                values[name] = field.array(labels)
        return values


def recordio_places(path, pictures):
    """Key and offset of each record, by the .idx file or by a scan."""
    index = os.path.splitext(path)[0] + ".idx"
    if os.path.exists(index):
        with open(index) as lines:
            places = [tuple(map(int, line.split())) for line in lines if line.strip()]
        return places_of_faces(path, places) if pictures else places
    places, at, size = [], 0, os.path.getsize(path)
    while at < size:
        places.append((len(places), at))
        kind = 1
        while kind in (1, 2):
            kind, length = recordio_head(path, at)
            at += 8 + -(-length // 4) * 4
    return places


def places_of_faces(path, places):
    """Without records that describe others, which sets of faces have."""
    labels, content = labelled(recordio_record(path, places[0][1]))
    if content or len(labels) < 2 or labels[0] < 1:
        return places
    return [place for place in places[1:] if place[0] < labels[0]]


def recordio_head(path, at):
    """Kind and length of the part at this position."""
    head = read_at(path, at, 8)
    if head[:4] != MAGIC:
        raise ValueError(f"{path}: no record at byte {at}")
    (word,) = struct.unpack("<I", head[4:])
    return word >> 29, word & 0x1FFFFFFF


def recordio_record(path, at):
    """A record; where its parts meet, the magic number is restored."""
    parts = []
    while True:
        kind, length = recordio_head(path, at)
        parts.append(read_at(path, at + 8, length))
        if kind in (0, 3):
            return MAGIC.join(parts)
        at += 8 + -(-length // 4) * 4


def labelled(record):
    """The labels before a picture, and the picture."""
    if len(record) < 24:
        raise ValueError("a record too short for a label")
    (count,) = struct.unpack_from("<I", record)
    if count == 0:
        return np.frombuffer(record, "<f4", 1, 4), record[24:]
    return np.frombuffer(record, "<f4", count, 24), record[24 + 4 * count :]
