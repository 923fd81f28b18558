# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: bordered
import numpy as np


def blurred(picture, kernel, sigma):
    weights = np.exp(-0.5 * ((np.arange(kernel) - kernel // 2) / sigma) ** 2)
    weights = np.float32(weights / weights.sum())
    half = kernel // 2
    sums = bordered(picture, half, half, half, half, "reflect", 0).astype(np.float32)
    for axis in (1, 0):
        size = sums.shape[axis] - 2 * half
        shifted = [np.take(sums, range(i, i + size), axis) for i in range(kernel)]
        sums = np.tensordot(weights, shifted, 1)
    return np.round(sums).astype(picture.dtype)


def random_blur(sample, fields, rng, kernel, sigma, probability):
    turn, width = uniform(rng, 2)
    if not coin(turn, probability):
        return sample
    width = sigma[0] + width * (sigma[1] - sigma[0])
    results = {name: blurred(sample[name], kernel, width) for name in fields}
    return {**sample, **results}
