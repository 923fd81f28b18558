# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from nvidia.dali import fn, math, types


def grey_of(picture):
    """One channel of f32, truncated to whole numbers (ITU-R BT.601)."""
    weighted = picture * types.Constant(np.float32([0.2989, 0.587, 0.114]))
    return math.floor(fn.reductions.sum(weighted, axes=[2], keep_dims=True))
