# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows
def crop(sample, fields, top, left, height, width):
    _, _, scales = coarsest_grid(sample, fields)
    box = [on_grid(scales, length) for length in (top, left, height, width)]
    return cut(sample, scales, *box)
