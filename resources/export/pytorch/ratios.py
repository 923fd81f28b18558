# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def picture_ratios(sample, fields):
    """Return the smallest picture, and how many times larger each one is."""
    pictures = [sample[name] for name in fields]
    coarsest = min(pictures, key=lambda picture: picture.shape[-1])
    height, width = coarsest.shape[-2:]
    ratios = {}
    for name in fields:
        ratio = sample[name].shape[-1] // width
        if sample[name].shape[-2:] != (height * ratio, width * ratio):
            sizes = [tuple(picture.shape[-2:]) for picture in pictures]
            raise ValueError(f"sizes without an integer ratio: {sizes}")
        ratios[name] = ratio
    return coarsest, ratios


def whole(lengths, ratio):
    """Return lengths, converted to pixels of the smallest picture."""
    if any(length % ratio for length in lengths):
        raise ValueError(f"{lengths} pixels are not a multiple of {ratio}")
    return [length // ratio for length in lengths]
