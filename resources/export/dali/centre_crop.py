# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def centre_crop(sample, fields, height, width):
    whole, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    return cut(sample, scales, (whole - size) // 2, size)
