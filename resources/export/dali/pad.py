# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
import numpy as np
from nvidia.dali import fn, math, types


def widened(sample, scales, before, after, fill, mask_fill):
    """Adds rows and columns at all sides, given on the coarsest grid."""
    results = {}
    for name, k in scales.items():
        picture = pixels(sample[name])
        results[name] = fn.slice(
            picture,
            start=0 - before * k,
            shape=size_of(picture) + (before + after) * k,
            axes=[0, 1],
            out_of_bounds_policy="pad",
            fill_values=list(mask_fill if name == "mask" else fill),
        )
    return {**sample, **results}


def pad(sample, fields, sides, border, fill, mask_fill):
    """`sides`: left, top, right and bottom, in pixels of the image field."""
    _, scales = coarsest_grid(sample, fields)
    left, top, right, bottom = sides
    before, after = on_grid(scales, [top, left]), on_grid(scales, [bottom, right])
    return widened(sample, scales, before, after, fill, mask_fill)


def pad_to_at_least(sample, fields, height, width, fill, mask_fill):
    """Evenly on both sides; an odd pixel is added right or below."""
    whole, scales = coarsest_grid(sample, fields)
    missing = math.max(on_grid(scales, [height, width]) - whole, 0)
    before = missing // 2
    return widened(sample, scales, before, missing - before, fill, mask_fill)
