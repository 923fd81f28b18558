# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode grey
from nvidia.dali import fn, types


def random_grayscale(sample, fields, seed, probability):
    turn = fn.cast(coin(uniform(seed, [1])[0], probability), dtype=types.FLOAT)
    results = {}
    for name in fields:
        picture = pixels(sample[name])
        mixed = grey_of(picture) * turn + picture * (1.0 - turn)
        results[name] = fn.cast(mixed, dtype=types.UINT8)
    return {**sample, **results}
