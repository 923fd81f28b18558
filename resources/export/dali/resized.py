# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, types

INTERPOLATION = {
    "nearest": types.INTERP_NN,
    "bilinear": types.INTERP_LINEAR,
    "bicubic": types.INTERP_CUBIC,
}


def resize_fields(sample, scales, size, method, antialias):
    """Resizes to a size on the coarsest grid; masks by the nearest pixel."""
    results = {}
    for name, k in scales.items():
        how = ("nearest", False) if name == "mask" else (method, antialias)
        results[name] = fn.resize(
            pixels(sample[name]),
            size=fn.cast(size * k, dtype=types.FLOAT),
            interp_type=INTERPOLATION[how[0]],
            antialias=how[1],
        )
    return {**sample, **results}
