# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import io

import torch
from PIL import Image, ImageOps
from torchvision import tv_tensors
from torchvision.transforms import v2


class DecodeMasks:
    """Decodes PNG files to masks: palette indices or grey values."""

    def __init__(self, fields, upright=True):
        self.fields, self.upright = fields, upright

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            sample[name] = tv_tensors.Mask(self.indices(sample[name]))
        return sample

    def indices(self, file):
        with Image.open(io.BytesIO(file)) as mask:
            depth = file[24] if mask.format == "PNG" else 8
            if self.upright:
                mask = ImageOps.exif_transpose(mask)
            if mask.mode not in ("1", "L", "LA", "P", "I;16", "I"):
                raise ValueError(f"a mask of colours, {mask.mode}")
            if mask.mode in ("1", "LA"):
                mask = mask.convert("L")
            mode, pixels = mask.mode, v2.functional.pil_to_tensor(mask)
        if mode == "L" and depth < 8:
            # Pillow scales stored values to 0 to 255.
            pixels = pixels // (255 // (2**depth - 1))
        if depth == 16 and int(pixels.int().max()) > 255:
            raise ValueError("a value does not fit a mask of 8 bits")
        return pixels.to(torch.uint8)
