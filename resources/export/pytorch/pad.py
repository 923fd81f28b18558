# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: ratios pad_picture
class Pad:
    """Adds a border; sides (left, top, right, bottom) of the first field."""

    def __init__(self, fields, sides, border, fill=0, mask_fill=0):
        self.fields, self.sides, self.border = fields, sides, border
        self.fill, self.mask_fill = fill, mask_fill

    def __call__(self, sample):
        sample = dict(sample)
        _, ratios = picture_ratios(sample, self.fields)
        sides = whole(self.sides, ratios[self.fields[0]])
        for name, ratio in ratios.items():
            sample[name] = pad_picture(
                sample[name],
                [side * ratio for side in sides],
                self.border,
                self.fill,
                self.mask_fill,
            )
        return sample
