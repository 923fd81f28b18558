# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
def resize(sample, fields, height, width, method, antialias):
    _, scales = coarsest_grid(sample, fields)
    size = on_grid(scales, [height, width])
    return resize_fields(sample, scales, size, method, antialias)
