# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from PIL import Image, ImageOps


def decode(file, mode=None):
    """Return the pixels of a picture, turned as EXIF says."""
    with Image.open(file) as picture:
        picture = ImageOps.exif_transpose(picture)
        return np.atleast_3d(picture.convert(mode) if mode else picture)
