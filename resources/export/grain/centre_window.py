# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import math


def centre_window(shape, scale, ratio):
    """Return the part in the middle of each range."""
    area = shape[0] * shape[1] * (scale[0] + scale[1]) / 2
    aspect = math.sqrt(ratio[0] * ratio[1])
    height, width = round(math.sqrt(area / aspect)), round(math.sqrt(area * aspect))
    if height > shape[0] or width > shape[1]:
        height = min(shape[0], max(round(shape[1] / ratio[0]), 1))
        width = min(shape[1], max(round(shape[0] * ratio[1]), 1))
    top, left = (shape[0] - height) // 2, (shape[1] - width) // 2
    return slice(top, top + height), slice(left, left + width)
