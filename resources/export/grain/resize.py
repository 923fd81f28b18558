# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: windows resized
def resize(sample, fields, height, width, method, antialias):
    _, _, scales = coarsest_grid(sample, fields)
    height, width = on_grid(scales, height), on_grid(scales, width)
    return resize_fields(sample, scales, height, width, method)
