# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def pick_channels(sample, name, indices, axis, signs=None):
    picked = np.take(sample[name], indices, axis)
    if signs:
        shape = [-1 if i == axis % picked.ndim else 1 for i in range(picked.ndim)]
        picked = picked * np.array(signs).astype(picked.dtype).reshape(shape)
    return {**sample, name: picked}
