# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def coded(indices, name, classes, dtype, axis, allowed):
    """`allowed`: a number without a class that gives zeros; None: any."""
    wrong = (indices < 0) | (indices >= classes)
    if allowed is not None and np.any(wrong & (indices != allowed)):
        raise ValueError(f"{name} has values that are not below {classes}")
    planes = np.expand_dims(indices, axis) == np.arange(classes).reshape(
        [-1 if i == axis % (indices.ndim + 1) else 1 for i in range(indices.ndim + 1)]
    )
    return planes.astype(dtype)


def one_hot_label(sample, name, classes, dtype, allowed=None):
    label = np.asarray(sample[name], np.int64)
    return {**sample, name: coded(label, name, classes, dtype, -1, allowed)}


def one_hot_mask(sample, name, classes, dtype, axis, allowed=None):
    indices = sample[name][..., 0].astype(np.int64)
    return {**sample, name: coded(indices, name, classes, dtype, axis, allowed)}
