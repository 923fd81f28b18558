# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import io

import cv2
import numpy as np
import tifffile
import torch
from torchvision import tv_tensors


def stored_numbers(file):
    """Return the numbers of a file with all channels, which come last."""
    if file[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        with tifffile.TiffFile(io.BytesIO(file)) as tiff:
            page = tiff.pages[0]
            numbers = page.asarray()
            if page.samplesperpixel > 1 and page.planarconfig == 2:
                numbers = np.moveaxis(numbers, 0, -1)
    else:
        data = np.frombuffer(file, np.uint8)
        numbers = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
        if numbers is None:
            raise ValueError("OpenCV does not read this file")
        if numbers.ndim == 3:  # OpenCV puts blue first.
            numbers[..., :3] = numbers[..., 2::-1].copy()
    return numbers.reshape(*numbers.shape[:2], -1)


class DecodeStored:
    """Decodes files to float32 with the numbers that they hold."""

    def __init__(self, fields=("image",), channels=3):
        self.fields, self.channels = fields, channels

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            numbers = stored_numbers(sample[name])
            if numbers.shape[2] != self.channels:
                raise ValueError(f"{numbers.shape[2]} channels, not {self.channels}")
            planes = np.moveaxis(numbers, 2, 0).astype(np.float32, order="C")
            sample[name] = tv_tensors.Image(torch.from_numpy(planes))
        return sample
