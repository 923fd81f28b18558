# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: grey
import numpy as np
from PIL import Image


def blended(picture, other, ratio):
    """Clamped and truncated to whole numbers, as in torchvision."""
    return np.floor((ratio * picture + (1.0 - ratio) * other).clip(0.0, 255.0))


def turned_hue(picture, turns):
    if picture.shape[2] == 1:
        return picture
    hsv = np.array(Image.fromarray(picture.astype(np.uint8)).convert("HSV"))
    hsv[..., 0] += np.uint8(int(turns * 255) % 256)
    return np.float32(Image.fromarray(hsv, "HSV").convert("RGB"))


def colour_jitter(sample, fields, rng, brightness, contrast, saturation, hue):
    """Draws four factors, applied in random order, the same for all fields."""
    draws = uniform(rng, 4)
    strengths = np.array([brightness, contrast, saturation])
    low = np.maximum(0.0, 1.0 - strengths)
    bright, contrasted, saturated = low + draws[:3] * (1.0 + strengths - low)
    steps = [
        lambda p: blended(p, 0.0, bright),
        lambda p: blended(p, grey_of(p).mean(), contrasted),
        lambda p: blended(p, grey_of(p), saturated),
        lambda p: turned_hue(p, (2 * draws[3] - 1) * hue),
    ]
    order = np.argsort(uniform(rng, 4))
    results = {}
    for name in fields:
        picture = sample[name].astype(np.float32)
        for i in order:
            picture = steps[i](picture)
        results[name] = picture.astype(sample[name].dtype)
    return {**sample, **results}
