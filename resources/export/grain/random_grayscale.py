# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: grey
import numpy as np


def random_grayscale(sample, fields, rng, probability):
    if not coin(uniform(rng, 1)[0], probability):
        return sample
    results = {}
    for name in fields:
        grey = grey_of(sample[name]).astype(sample[name].dtype)
        results[name] = np.broadcast_to(grey, sample[name].shape)
    return {**sample, **results}
