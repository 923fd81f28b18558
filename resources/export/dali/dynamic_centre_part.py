# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import nvidia.dali.experimental.dynamic as ndd


def centre_part(pictures, scale, ratio):
    """Cut out the centre, with the middle of the ranges of area and ratio."""
    shape = (ratio[0] * ratio[1]) ** 0.5
    starts, sizes = [], []
    for whole in (np.array(whole[:2]) for whole in pictures.shape):
        area = whole.prod() * (scale[0] + scale[1]) / 2
        size = np.floor(np.sqrt([area / shape, area * shape]) + 0.5)
        if (size > whole).any():
            most = np.floor([whole[1] / ratio[0] + 0.5, whole[0] * ratio[1] + 0.5])
            size = np.minimum(whole, np.maximum(most, 1))
        starts.append(np.int32((whole - size) // 2))
        sizes.append(np.int32(size))
    part = {"start": ndd.as_batch(starts), "shape": ndd.as_batch(sizes)}
    return ndd.slice(pictures, **part, axes=[0, 1])
