# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode dtypes
from nvidia.dali import fn


def one_hot_label(sample, name, classes, dtype):
    coded = fn.one_hot(sample[name], num_classes=classes, dtype=DTYPES[dtype])
    return {**sample, name: coded}


def one_hot_mask(sample, name, classes, dtype, axis):
    indices = fn.squeeze(pixels(sample[name]), axes=[2])
    coded = fn.one_hot(indices, num_classes=classes, axis=axis, dtype=DTYPES[dtype])
    return {**sample, name: coded}
