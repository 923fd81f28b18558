# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: first_picture
import io

from PIL import Image
from torchcodec.decoders import ImageReadMode
from torchvision import tv_tensors
from torchvision.transforms import v2


def decode_file(file, mode, upright):
    """Return the pixels of a file as planes of bytes.

    torchcodec always turns pictures as their EXIF data requests.
    """
    if upright:
        return first_picture(file, mode)
    with Image.open(io.BytesIO(file)) as picture:
        grey = mode == ImageReadMode.GRAY
        return v2.functional.pil_to_tensor(picture.convert("L" if grey else "RGB"))


class Decode:
    """Decodes files, rotated as their EXIF data requests."""

    def __init__(
        self, fields=("image",), mode=ImageReadMode.RGB, upright=True
    ):
        self.fields, self.mode, self.upright = fields, mode, upright

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            pixels = decode_file(sample[name], self.mode, self.upright)
            sample[name] = tv_tensors.Image(pixels)
        return sample
