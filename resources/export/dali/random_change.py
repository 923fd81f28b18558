# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, types


def random_change(sample, fields, seed, probability, change):
    draws = uniform(seed, [2])
    turn = fn.cast(coin(draws[0], probability), dtype=types.INT32)
    results = {}
    for name in fields:
        picture = pixels(sample[name])
        mixed = change(picture, draws[1]) * turn + picture * (1 - turn)
        results[name] = fn.cast(mixed, dtype=types.UINT8)
    return {**sample, **results}
