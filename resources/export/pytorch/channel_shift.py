# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors


class ChannelShift:
    """Adds a random number to each channel, the same in all fields."""

    def __init__(self, fields, most, per_channel=True):
        self.fields, self.most, self.per_channel = fields, most, per_channel

    def __call__(self, sample):
        count = 3 if self.per_channel else 1
        draws = torch.empty(count, 1, 1).uniform_(-self.most, self.most)
        offsets = draws.round().to(torch.int16)
        sample = dict(sample)
        for name in self.fields:
            picture = sample[name]
            shifted = picture + offsets[: picture.shape[-3]]
            sample[name] = tv_tensors.Image(
                shifted.clamp(0, 255).to(torch.uint8)
            )
        return sample
