# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import nvidia.dali.experimental.dynamic as ndd


def random_warp(sample, names, rotation, shift, shear, zoom):
    """Rotate, shift, shear and zoom pictures alike, beyond whose edges it repeats."""
    draws = ndd.random.uniform(range=[-1.0, 1.0], shape=[5], **DRAW)
    turn, right, down, lean, size = (draws.slice[i] for i in range(5))
    angle = turn * float(np.radians(rotation))
    slope = ndd.math.tan(lean * float(np.radians(shear)))
    scale = (zoom[0] + zoom[1] + size * (zoom[1] - zoom[0])) / 2
    sine, cosine = ndd.math.sin(angle), ndd.math.cos(angle)
    xx, xy = (cosine - sine * slope) / scale, (sine + cosine * slope) / scale
    yx, yy = -sine / scale, cosine / scale
    for name in names:
        half = ndd.as_batch([np.float32(s[:2]) / 2 for s in sample[name].shape])
        height, width = half.slice[0], half.slice[1]
        x, y = width * (2 * shift[0] * right + 1), height * (2 * shift[1] * down + 1)
        row_x = ndd.stack(xx, xy, width - xx * x - xy * y)
        row_y = ndd.stack(yx, yy, height - yx * x - yy * y)
        sample[name] = ndd.warp_affine(sample[name], matrix=ndd.stack(row_x, row_y))
