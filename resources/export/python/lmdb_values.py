# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: protobuf records
import functools
import os
import re
import threading

import lmdb
import numpy as np


class LmdbValues(Records):
    """Values of LMDB databases in the order of their keys.

    `datum`: they are Caffe's Datum. `targets`: a second database, whose values at
    the same keys are the field `pair`.
    """

    def __init__(
        self,
        paths,
        fields,
        datum=False,
        targets=None,
        pair="",
        database=None,
        junk="skip",
    ):
        self.datum, self.database, self.targets = datum, database, None
        files = shard_files(paths, is_lmdb)
        self.keys = [lmdb_keys(path, database, junk) for path in files]
        if targets:
            (self.targets,) = shard_files([targets], is_lmdb)
            known = {key for _, key in lmdb_keys(self.targets, database, junk)}
            self.keys = [[k for k in keys if k[1] in known] for keys in self.keys]
            self.pair = pair
            fields = {**fields, pair: Field(pair, mask=pair == "mask")}
        super().__init__(files, map(len, self.keys), fields)

    def name(self, index):
        file, record = self.find(index)
        number, key = self.keys[file][record]
        if not key or any(byte < 32 or byte == 127 for byte in key):
            key = str(number).encode()
        folder, name = os.path.split(self.paths[file])
        if name == "data.mdb":
            name = os.path.basename(folder)
        return f"{name}#{os.fsdecode(key)}"

    def __getitem__(self, index):
        file, record = self.find(index)
        key = self.keys[file][record][1]
        value = lmdb_value(self.paths[file], self.database, key)
        if self.datum:
            sample = datum_fields(value)
        else:
            name, field = next(iter(self.fields.items()))
            sample = {name: field.array(value)}
        if self.targets is not None:
            sample[self.pair] = lmdb_value(self.targets, self.database, key)
        return sample


def is_lmdb(name):
    return name.endswith(".mdb") and name != "lock.mdb"


@functools.lru_cache(maxsize=64)
def open_lmdb(path, database, process):
    """Opened again in each process: an open database does not survive a fork."""
    opened = lmdb.open(
        path, subdir=False, readonly=True, lock=False, readahead=False, max_dbs=1
    )
    return opened, opened.open_db(database.encode()) if database else None


def lmdb_keys(path, database, junk):
    """Number and key of each value, without those that describe the database."""
    opened, base = open_lmdb(path, database, os.getpid())
    with opened.begin(db=base) as transaction:
        keys = enumerate(transaction.cursor().iternext(values=False))
        found = [(n, k) for n, k in keys if junk == "keep" or not is_junk_record(k)]
    open_lmdb.cache_clear()
    opened.close()
    return found


def is_junk_record(key):
    """Whether the record with this key describes the others."""
    return key.lower() in JUNK_RECORD or re.fullmatch(b"(?s)__.+__", key)


LMDB_OPENING = threading.Lock()  # a database is opened once in a process


def lmdb_value(path, database, key):
    with LMDB_OPENING:
        opened, base = open_lmdb(path, database, os.getpid())
    with opened.begin(db=base) as transaction:
        return bytes(transaction.get(key))


def datum_fields(value):
    """Picture and class of a Datum, which stores planes, blue first."""
    parts = dict(messages(value))
    label = np.array(parts.get(5, 0), dtype=np.uint64).view(np.int64)
    if parts.get(7):
        return {"image": bytes(parts[4]), "label": label}
    shape = [parts.get(number, 0) for number in (1, 2, 3)]
    planes = np.frombuffer(parts.get(4, b""), np.uint8).reshape(shape)
    planes = planes[::-1] if len(planes) == 3 else planes
    return {"image": planes.transpose(1, 2, 0), "label": label}
