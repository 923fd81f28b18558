# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
import numpy as np
from nvidia.dali import fn, types


def colours_to_indices(sample, name, colours, other):
    """Turns colours into class numbers; `other`: if a colour has no class."""
    powers = types.Constant(np.int32([65536, 256, 1]))
    codes = fn.reductions.sum(pixels(sample[name]) * powers, axes=[2], keep_dims=True)
    indices = codes * 0 + other
    for number, (red, green, blue) in enumerate(colours):
        same = fn.cast(codes == 65536 * red + 256 * green + blue, dtype=types.INT32)
        indices = indices + same * (number - other)
    return {**sample, name: fn.cast(indices, dtype=types.UINT8)}
