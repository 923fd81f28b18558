# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
import numpy as np
from nvidia.dali import fn, math, types


def random_erase(sample, fields, seed, scale, ratio, probability, fill):
    """Fills a rectangle with one colour, or does nothing if it does not fit."""
    draws = uniform(seed, [5])
    turn = coin(draws[0], probability)
    low, high = np.log(ratio)
    shape = math.exp(float(low) + draws[2] * float(high - low))
    results = {}
    for name in fields:
        picture = pixels(sample[name])
        size = size_of(picture)
        area = size[0] * size[1] * (scale[0] + draws[1] * (scale[1] - scale[0]))
        sides = fn.stack(math.sqrt(area * shape), math.sqrt(area / shape))
        sides = fn.cast(math.floor(sides + 0.5), dtype=types.INT32)
        fits = turn & (sides[0] < size[0]) & (sides[1] < size[1])
        sides = sides * fn.cast(fits, dtype=types.INT32)
        start = integer(fn.slice(draws, 3, 2, axes=[0]), size - sides)
        results[name] = fn.erase(
            picture,
            anchor=fn.cast(start, dtype=types.FLOAT),
            shape=fn.cast(sides, dtype=types.FLOAT),
            axis_names="HW",
            fill_value=list(fill),
        )
    return {**sample, **results}
