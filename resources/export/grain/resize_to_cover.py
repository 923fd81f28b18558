# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized kept_shape
def resize_to_cover(sample, fields, height, width, method, antialias):
    """Resizes with the aspect ratio kept, until it covers; crops the centre."""
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    outer_height, outer_width = kept_shape(rows, columns, height, width, max)
    sample = resize_fields(sample, scales, outer_height, outer_width, method)
    top, left = (outer_height - height) // 2, (outer_width - width) // 2
    return cut(sample, scales, top, left, height, width)
