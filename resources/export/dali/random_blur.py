# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, types


def random_blur(sample, fields, seed, kernel, sigma, probability):
    draws = uniform(seed, [2])
    width = sigma[0] + draws[1] * (sigma[1] - sigma[0])
    turn = fn.cast(coin(draws[0], probability), dtype=types.INT32)
    results = {}
    for name in fields:
        picture = pixels(sample[name])
        blurred = fn.gaussian_blur(picture, window_size=kernel, sigma=width)
        mixed = blurred * turn + picture * (1 - turn)
        results[name] = fn.cast(mixed, dtype=types.UINT8)
    return {**sample, **results}
