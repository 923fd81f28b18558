# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: ratios pad_picture
class PadToAtLeast:
    """Centres pictures that are smaller than a crop on a larger canvas."""

    def __init__(self, fields, size, fill=0, mask_fill=0):
        self.fields, self.size = fields, size
        self.fill, self.mask_fill = fill, mask_fill

    def __call__(self, sample):
        sample = dict(sample)
        coarsest, ratios = picture_ratios(sample, self.fields)
        height, width = whole(self.size, ratios[self.fields[0]])
        down = max(0, height - coarsest.shape[-2])
        across = max(0, width - coarsest.shape[-1])
        left, top = across // 2, down // 2
        sides = left, top, across - left, down - top
        for name, ratio in ratios.items():
            sample[name] = pad_picture(
                sample[name],
                [side * ratio for side in sides],
                "constant",
                self.fill,
                self.mask_fill,
            )
        return sample
