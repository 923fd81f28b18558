# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from nvidia.dali import fn, math, types


def kept_shape(whole, size, choose):
    """The size with the picture's aspect ratio, within (or around) another."""
    scales = fn.cast(size, dtype=types.FLOAT64) / whole
    scale = choose(scales[0], scales[1])
    sides = fn.cast(math.floor(whole * scale + 0.5), dtype=types.INT32)
    return choose(math.max(sides, 1), size)
