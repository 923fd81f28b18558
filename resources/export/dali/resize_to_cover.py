# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized kept_shape
from nvidia.dali import math


def resize_to_cover(sample, fields, height, width, method, antialias):
    """Resizes with the aspect ratio kept, until it covers; crops the centre."""
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    outer = kept_shape(whole, size, math.max)
    sample = resize_fields(sample, scales, outer, method, antialias)
    return cut(sample, scales, (outer - size) // 2, size)
