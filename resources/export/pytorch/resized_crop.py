# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: ratios resize
import math

from torchvision.transforms import InterpolationMode, v2


class ResizedCrop:
    """Crops the same part of all pictures of a sample and resizes it.

    The size is in pixels of the first field; of larger partners, parts are
    larger by the ratio. Without random it is the part in the middle.
    """

    def __init__(
        self,
        fields,
        size,
        scale,
        ratio,
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
        random=True,
    ):
        self.fields, self.size, self.random = fields, size, random
        self.interpolation, self.antialias = interpolation, antialias
        self.scale, self.ratio = scale, ratio
        self.draw = v2.RandomResizedCrop(size, scale, ratio)

    def __call__(self, sample):
        sample = dict(sample)
        coarsest, ratios = picture_ratios(sample, self.fields)
        box = self.box(coarsest)
        for name, ratio in ratios.items():
            part = v2.functional.crop(
                sample[name], *(number * ratio for number in box)
            )
            size = [n * ratio // ratios[self.fields[0]] for n in self.size]
            sample[name] = resize(
                part, size, self.interpolation, self.antialias
            )
        return sample

    def box(self, picture):
        if self.random:
            part = self.draw.make_params([picture])
            return [part[n] for n in ("top", "left", "height", "width")]
        height, width = picture.shape[-2:]
        area = height * width * (self.scale[0] + self.scale[1]) / 2
        ratio = math.sqrt(self.ratio[0] * self.ratio[1])
        wide, high = round(math.sqrt(area * ratio)), round(
            math.sqrt(area / ratio)
        )
        if not (0 < wide <= width and 0 < high <= height):
            wide = min(width, round(height * self.ratio[1]))
            high = min(height, round(width / self.ratio[0]))
        return [(height - high) // 2, (width - wide) // 2, high, wide]
