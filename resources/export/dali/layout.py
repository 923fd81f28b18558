# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from nvidia.dali import fn


def to_channels_first(sample, fields):
    turned = {n: fn.transpose(pixels(sample[n]), perm=[2, 0, 1]) for n in fields}
    return {**sample, **turned}


def to_channels_last(sample, fields):
    turned = {n: fn.transpose(pixels(sample[n]), perm=[1, 2, 0]) for n in fields}
    return {**sample, **turned}
