# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors
from torchvision.io import ImageReadMode, decode_image


def decode_file(file, mode, upright):
    """Return the pixels of a JPEG or PNG file as planes of bytes."""
    data = torch.frombuffer(bytearray(file), dtype=torch.uint8)
    pixels = decode_image(data, mode=mode, apply_exif_orientation=upright)
    if pixels.dtype == torch.uint16:
        pixels = (pixels.int() * 255 + 32767) // 65535
    return pixels.to(torch.uint8)


class Decode:
    """Decodes JPEG and PNG files, rotated as their EXIF data requests."""

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
