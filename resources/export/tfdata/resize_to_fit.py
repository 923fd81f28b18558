# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized bordered kept_shape
import tensorflow as tf


def resize_to_fit(
    sample, fields, height, width, method, antialias, fill, mask_fill
):
    """Resizes with the aspect ratio kept, until it fits; fills the rest."""
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    inner_height, inner_width = kept_shape(rows, columns, height, width, tf.minimum)
    sample = resize_fields(
        sample, scales, inner_height, inner_width, method, antialias
    )
    top, left = (height - inner_height) // 2, (width - inner_width) // 2
    bottom, right = height - inner_height - top, width - inner_width - left
    filled = {}
    for name, k in scales.items():
        sides = [side * k for side in (left, top, right, bottom)]
        colour = mask_fill if name == "mask" else fill
        filled[name] = bordered(sample[name], *sides, "constant", colour)
    return {**sample, **filled}
