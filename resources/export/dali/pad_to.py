# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn


def pad_to(sample, fields, height, width):
    """Adds zeros at the bottom and the right, so that all have one size."""
    padded = {}
    for name in fields:
        padded[name] = fn.pad(pixels(sample[name]), axes=[0, 1], shape=[height, width])
    return {**sample, **padded}
