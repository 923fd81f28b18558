# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: protobuf records
import os

import numpy as np


def example_fields(record, fields):
    """The fields of an encoded tf.train.Example that have these keys."""
    found = {}
    try:
        for number, features in messages(memoryview(record)):
            for _, entry in messages(features) if number == 1 else ():
                parts = dict(messages(entry))
                found[bytes(parts[1])] = list(messages(parts[2]))
        values = {}
        for name, field in fields.items():
            kind, data = found[os.fsencode(field.key)][-1]
            values[name] = field.array(example_values(kind, data))
        return values
    except (LookupError, TypeError) as error:
        raise ValueError(f"the record lacks a key, or is damaged: {error}") from error


def example_values(kind, data):
    """The first bytes of a BytesList, or all numbers of another list."""
    parts = [part for _, part in messages(data)]
    if kind == 1:
        return bytes(parts[0])
    if kind == 2:
        return np.frombuffer(b"".join(parts), "<f4")
    numbers = []
    for part in parts:
        at = 0
        if isinstance(part, int):
            numbers.append(part)
            continue
        while at < len(part):
            number, at = varint(part, at)
            numbers.append(number)
    return np.array(numbers, dtype=np.uint64).view(np.int64)
