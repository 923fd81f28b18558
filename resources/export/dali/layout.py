# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn


def planes(picture):
    if hasattr(picture, "planes"):
        return picture.planes()
    return fn.transpose(pixels(picture), perm=[2, 0, 1])


def to_channels_first(sample, fields):
    return {**sample, **{name: planes(sample[name]) for name in fields}}
