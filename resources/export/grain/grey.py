# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def grey_of(picture):
    """One channel of f32, truncated to whole numbers (ITU-R BT.601)."""
    if picture.shape[2] == 1:
        return picture.astype(np.float32)
    return np.floor(picture @ np.float32([0.2989, 0.587, 0.114]))[..., None]
