# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np
from PIL import Image


def resized(picture, height, width, method):
    """Pillow's resize; channels of floats one by one."""
    how = Image.Resampling[method.upper()]
    if picture.dtype == np.uint8:
        planes = picture[..., 0] if picture.shape[2] == 1 else picture
        return np.atleast_3d(Image.fromarray(planes).resize((width, height), how))
    planes = [
        Image.fromarray(plane.astype(np.float32)).resize((width, height), how)
        for plane in np.moveaxis(picture, 2, 0)
    ]
    return np.stack(planes, 2).astype(picture.dtype)


def resize_fields(sample, scales, height, width, method):
    """Resizes to a size on the coarsest grid; masks by the nearest pixel."""
    results = {}
    for name, k in scales.items():
        how = "nearest" if name == "mask" else method
        results[name] = resized(sample[name], height * k, width * k, how)
    return {**sample, **results}
