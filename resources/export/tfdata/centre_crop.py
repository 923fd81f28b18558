# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def centre_crop(sample, fields, height, width, even=False):
    """even: margins of half a pixel are rounded to even numbers."""
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    rests = [rows - height, columns - width]
    if even:
        rests = [rest + rest % 4 // 3 for rest in rests]
    top, left = (rest // 2 for rest in rests)
    return cut(sample, scales, top, left, height, width)
