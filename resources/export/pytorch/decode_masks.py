# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import io

from PIL import Image, ImageOps
from torchvision import tv_tensors
from torchvision.transforms import v2


class DecodeMasks:
    """Turns PNG files into masks: palette indices or grey values."""

    def __init__(self, fields, upright=True):
        self.fields, self.upright = fields, upright

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            with Image.open(io.BytesIO(sample[name])) as mask:
                if self.upright:
                    mask = ImageOps.exif_transpose(mask)
                if mask.mode not in ("L", "P"):
                    mask = mask.convert("L")
                pixels = v2.functional.pil_to_tensor(mask)
            sample[name] = tv_tensors.Mask(pixels)
        return sample
