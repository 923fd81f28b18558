# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: ratios resize pad_picture
from torchvision.transforms import InterpolationMode, v2


class ResizePictures:
    """Resizes all pictures of a sample, larger partners to larger sizes.

    mode: "squash" ignores the aspect ratio, "cover" keeps it and crops the
    centre, "fit" keeps it and fills the rest, "at_least" and "at_most" keep it
    and the whole picture: no side is shorter, or longer, than the size.
    """

    def __init__(
        self,
        fields,
        size,
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
        mode="squash",
        fill=0,
        mask_fill=0,
    ):
        self.fields, self.size, self.mode = fields, size, mode
        self.interpolation, self.antialias = interpolation, antialias
        self.fill, self.mask_fill = fill, mask_fill

    def __call__(self, sample):
        sample = dict(sample)
        coarsest, ratios = picture_ratios(sample, self.fields)
        wanted = whole(self.size, ratios[self.fields[0]])
        size = self.inner_size(coarsest.shape[-2:], wanted)
        for name, ratio in ratios.items():
            picture = resize(
                sample[name],
                [ratio * n for n in size],
                self.interpolation,
                self.antialias,
            )
            sample[name] = self.framed(picture, size, wanted, ratio)
        return sample

    def inner_size(self, seen, wanted):
        if self.mode == "squash":
            return wanted
        if self.mode.startswith("at_"):
            choose = max if self.mode == "at_least" else min
            kept = wanted[1] * seen[0] // seen[1], wanted[0] * seen[1] // seen[0]
            return [max(1, choose(to, side)) for to, side in zip(wanted, kept)]
        choose = max if self.mode == "cover" else min
        scale = choose(to / side for to, side in zip(wanted, seen))
        return [
            choose(to, max(1, int(side * scale + 0.5)))
            for to, side in zip(wanted, seen)
        ]

    def framed(self, picture, size, wanted, ratio):
        if size == wanted or self.mode.startswith("at_"):
            return picture
        down, across = (abs(a - b) for a, b in zip(size, wanted))
        top, left = down // 2, across // 2
        if self.mode == "cover":
            box = [ratio * n for n in (top, left, *wanted)]
            return v2.functional.crop(picture, *box)
        sides = left, top, across - left, down - top
        return pad_picture(
            picture,
            [ratio * n for n in sides],
            "constant",
            self.fill,
            self.mask_fill,
        )
