# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, types


def random_flip(sample, fields, seed, horizontal, vertical):
    draws = uniform(seed, [2])
    turns = {
        "horizontal": fn.cast(coin(draws[0], horizontal), dtype=types.INT32),
        "vertical": fn.cast(coin(draws[1], vertical), dtype=types.INT32),
    }
    mirrored = {name: fn.flip(pixels(sample[name]), **turns) for name in fields}
    return {**sample, **mirrored}
