# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def bordered(picture, left, top, right, bottom, border, fill):
    """Adds pixels at the sides; `fill` is for the border "constant"."""
    sides = ((top, bottom), (left, right), (0, 0))
    if border != "constant":
        return np.pad(picture, sides, border)
    rows, columns, channels = picture.shape
    size = (rows + top + bottom, columns + left + right, channels)
    result = np.empty(size, picture.dtype)
    result[...] = fill
    result[top : top + rows, left : left + columns] = picture
    return result
