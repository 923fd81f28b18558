# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def centre_crop(sample, fields, height, width):
    rows, columns, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    top, left = (rows - height) // 2, (columns - width) // 2
    return cut(sample, scales, top, left, height, width)
