# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn, types


def normalise(sample, fields, mean, deviation, full):
    """`mean` and `deviation` are by channel, in shares of `full`."""
    results = {}
    for name in fields:
        results[name] = fn.crop_mirror_normalize(
            pixels(sample[name]),
            dtype=types.FLOAT,
            output_layout="HWC",
            mean=[full * m for m in mean],
            std=[full * d for d in deviation],
        )
    return {**sample, **results}
