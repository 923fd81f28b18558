# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
import numpy as np
from nvidia.dali import fn, math, types


def size_of(picture):
    """Height and width."""
    if isinstance(picture, Encoded):
        return picture.size()
    return fn.slice(pixels(picture).shape(dtype=types.INT32), 0, 2, axes=[0])


def coarsest_grid(sample, fields):
    """The smallest picture's size, and how many times larger each picture is.

    Pictures of a pair may differ in size: parts are drawn on the coarsest
    grid and so lie on whole pixels of the others.
    """
    sizes = {name: size_of(sample[name]) for name in fields}
    size = sizes[fields[0]]
    if len(fields) == 1:
        return size, {fields[0]: 1}
    for other in sizes.values():
        size = math.min(size, other)
    return size, {name: sizes[name] // size for name in fields}


def on_grid(scales, lengths):
    """Lengths in pixels of the image field, on the coarsest grid."""
    lengths = types.Constant(np.int32(lengths))
    return lengths // scales.get("image", 1)


def cut(sample, scales, start, size):
    """The same part of each picture, given on the coarsest grid."""
    parts = {}
    for name, k in scales.items():
        part = {"start": start * k, "shape": size * k, "axes": [0, 1]}
        picture = sample[name]
        if isinstance(picture, Encoded):
            parts[name] = picture.pixels(**part)
        else:
            parts[name] = fn.slice(pixels(picture), **part)
    return {**sample, **parts}
