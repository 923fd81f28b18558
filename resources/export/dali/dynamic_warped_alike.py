# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import nvidia.dali.experimental.dynamic as ndd


def random_warp(sample, names, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom pictures alike, beyond whose edges it repeats."""
    draws = ndd.random.uniform(range=[-1.0, 1.0], shape=[5], **DRAW).torch().numpy()
    turn, right, down, lean, size = draws.T
    angle, slope = turn * np.radians(rotation), np.tan(lean * np.radians(shear))
    scale = (zoom[0] + zoom[1] + size * (zoom[1] - zoom[0])) / 2
    sine, cosine = np.sin(angle), np.cos(angle)
    xx, xy = (cosine - sine * slope) / scale, (sine + cosine * slope) / scale
    yx, yy = -sine / scale, cosine / scale
    for name in names:
        height, width = np.array([shape[:2] for shape in sample[name].shape]).T / 2
        x, y = width * (2 * shift[0] * right + 1), height * (2 * shift[1] * down + 1)
        rows = [xx, xy, width - xx * x - xy * y], [yx, yy, height - yx * x - yy * y]
        matrix = ndd.as_batch(np.moveaxis(np.float32(rows), 2, 0).copy())
        sample[name] = ndd.warp_affine(sample[name], matrix=matrix)
