# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: rounded_to
import math


class MixMiddle:
    """MixUp or CutMix with the middle of each random range."""

    def __init__(self, pictures, labels, cut):
        self.pictures, self.labels, self.cut = pictures, labels, cut

    def __call__(self, batch):
        batch, share = dict(batch), 0.5
        for name in self.pictures:
            if self.cut:
                batch[name], share = self.cut_middle(batch[name])
            else:
                batch[name] = self.blended(batch[name], share)
        for name in self.labels:
            batch[name] = self.blended(batch[name], share)
        return batch

    def blended(self, rows, share):
        floats = rows.float()
        mixed = floats * share + floats.roll(1, 0) * (1 - share)
        return rounded_to(rows.dtype, mixed)

    def cut_middle(self, rows):
        height, width = rows.shape[-2:]
        half = 0.5 * math.sqrt(0.5)
        x, y = (width - 1) // 2, (height - 1) // 2
        left, right = max(0, x - int(half * width)), x + int(half * width)
        top, below = max(0, y - int(half * height)), y + int(half * height)
        cut = rows.clone()
        before = rows.roll(1, 0)
        cut[..., top:below, left:right] = before[..., top:below, left:right]
        share = 1 - (right - left) * (below - top) / (width * height)
        return cut, share
