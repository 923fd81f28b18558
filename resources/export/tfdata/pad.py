# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows bordered
def pad(sample, fields, sides, border, fill, mask_fill):
    """`sides`: left, top, right and bottom, in pixels of the image field."""
    _, _, scales = coarsest_grid(sample, fields)
    padded = {}
    for name, k in scales.items():
        lengths = [on_grid(scales, side) * k for side in sides]
        colour = mask_fill if name == "mask" else fill
        padded[name] = bordered(sample[name], *lengths, border, colour)
    return {**sample, **padded}


def pad_to_at_least(sample, fields, height, width, fill, mask_fill):
    """Evenly on both sides; an odd pixel is added right or below."""
    rows, columns, scales = coarsest_grid(sample, fields)
    down = tf.maximum(on_grid(scales, height) - rows, 0)
    across = tf.maximum(on_grid(scales, width) - columns, 0)
    sides = (across // 2, down // 2, across - across // 2, down - down // 2)
    k = scales.get("image", 1)
    sides = [side * k for side in sides]
    return pad(sample, fields, sides, "constant", fill, mask_fill)
