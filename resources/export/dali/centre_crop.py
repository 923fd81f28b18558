# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def centre_crop(sample, fields, height, width, even=False):
    """even: margins of half a pixel are rounded to even numbers."""
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    rest = whole - size
    if even:
        rest += (rest & 3) // 3
    return cut(sample, scales, rest // 2, size)
