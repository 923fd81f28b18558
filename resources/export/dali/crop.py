# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def crop(sample, fields, top, left, height, width):
    _, scales = coarsest_grid(sample, fields)
    start, size = on_grid(scales, [top, left]), on_grid(scales, [height, width])
    return cut(sample, scales, start, size)
