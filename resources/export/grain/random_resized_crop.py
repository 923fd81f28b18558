# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
import math


def drawn_box(rows, columns, rng, scale, ratio):
    """As in torchvision: the first of ten tries that fits, or the centre."""
    low, high = math.log(ratio[0]), math.log(ratio[1])
    for _ in range(10):
        part, shape, across, down = uniform(rng, 4)
        area = rows * columns * (scale[0] + part * (scale[1] - scale[0]))
        shape = math.exp(low + shape * (high - low))
        width, height = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
        if 0 < width <= columns and 0 < height <= rows:
            top, left = integer(down, rows - height), integer(across, columns - width)
            return top, left, height, width
    height = min(rows, max(round(columns / ratio[0]), 1))
    width = min(columns, max(round(rows * ratio[1]), 1))
    return (rows - height) // 2, (columns - width) // 2, height, width


def random_resized_crop(
    sample, fields, rng, height, width, scale, ratio, method, antialias
):
    rows, columns, scales = coarsest_grid(sample, fields)
    box = drawn_box(rows, columns, rng, scale, ratio)
    sample = cut(sample, scales, *box)
    height, width = on_grid(scales, height), on_grid(scales, width)
    return resize_fields(sample, scales, height, width, method)
