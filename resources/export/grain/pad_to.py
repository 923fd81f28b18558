# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: bordered
def pad_to(sample, fields, height, width):
    """Adds zeros at the bottom and the right, so that all have one size."""
    padded = {}
    for name in fields:
        rows, columns = sample[name].shape[:2]
        sides = (0, 0, width - columns, height - rows)
        padded[name] = bordered(sample[name], *sides, "constant", 0)
    return {**sample, **padded}
