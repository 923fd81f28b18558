# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


def channel_shift(sample, fields, rng, reach, per_channel):
    """Adds a whole number to each channel; `reach` is in levels of 255."""
    offsets = np.round((2 * uniform(rng, 3 if per_channel else 1) - 1) * reach)
    shifted = {}
    for name in fields:
        picture = sample[name] + offsets[: sample[name].shape[2]].astype(np.int16)
        shifted[name] = picture.clip(0, 255).astype(sample[name].dtype)
    return {**sample, **shifted}
