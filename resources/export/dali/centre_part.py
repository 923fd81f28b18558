# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from nvidia.dali import fn, math, types


def centre_part(picture, scale, ratio):
    """Cut out the centre, with the middle of the ranges of area and ratio."""

    def whole_number(value):
        return fn.cast(math.floor(value + 0.5), dtype=types.INT32)

    whole = picture.shape(dtype=types.INT32)
    rows, columns = whole[0], whole[1]
    area = rows * columns * np.float32((scale[0] + scale[1]) / 2)
    shape = np.float32((ratio[0] * ratio[1]) ** 0.5)
    h = whole_number(math.sqrt(area / shape))
    w = whole_number(math.sqrt(area * shape))
    fits = fn.cast((h <= rows) & (w <= columns), dtype=types.INT32)
    most_h = math.min(rows, math.max(whole_number(columns / ratio[0]), 1))
    most_w = math.min(columns, math.max(whole_number(rows * ratio[1]), 1))
    part = fn.stack(h, w) * fits + fn.stack(most_h, most_w) * (1 - fits)
    return fn.slice(picture, start=(whole[:2] - part) // 2, shape=part, axes=[0, 1])
