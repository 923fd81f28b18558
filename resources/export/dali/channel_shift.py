# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, math, types


def channel_shift(sample, fields, seed, reach, per_channel):
    """Adds a whole number to each channel; `reach` is in levels of 255."""
    draws = uniform(seed, [3 if per_channel else 1])
    offsets = math.floor((2.0 * draws - 1.0) * reach + 0.5)
    shifted = {}
    for name in fields:
        moved = pixels(sample[name]) + fn.cast(offsets, dtype=types.INT32)
        shifted[name] = fn.cast(moved, dtype=types.UINT8)
    return {**sample, **shifted}
