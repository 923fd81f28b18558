# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode grey
from nvidia.dali import fn, math, types


def colour_jitter(sample, fields, seed, brightness, contrast, saturation, hue):
    """Draws four factors, the same for all fields."""
    draws = uniform(seed, [4])

    def factor(draw, strength):
        low = max(0.0, 1.0 - strength)
        return low + draw * (1.0 + strength - low)

    def blended(picture, other, ratio):
        mixed = ratio * picture + (1.0 - ratio) * other
        return math.floor(math.clamp(mixed, 0.0, 255.0))

    results = {}
    for name in fields:
        picture = blended(pixels(sample[name]), 0.0, factor(draws[0], brightness))
        mean = fn.reductions.mean(grey_of(picture))
        picture = blended(picture, mean, factor(draws[1], contrast))
        picture = blended(picture, grey_of(picture), factor(draws[2], saturation))
        picture = fn.cast(picture, dtype=types.UINT8)
        degrees = (2.0 * draws[3] - 1.0) * (360.0 * hue)
        results[name] = fn.hue(picture, hue=degrees) if hue > 0 else picture
    return {**sample, **results}
