# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from PIL import Image, ImageOps


def decode(sample, channels):
    """`channels`: the fields to decode and how many channels they get."""
    pictures = {}
    for name, count in channels.items():
        with Image.open(sample[name]) as file:
            picture = ImageOps.exif_transpose(file) if UPRIGHT else file
            if name != "mask" or count == 3:
                picture = picture.convert("RGB" if count == 3 else "L")
            pictures[name] = np.atleast_3d(np.asarray(picture))
    return {**sample, **pictures}
