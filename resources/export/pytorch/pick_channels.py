# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import torch
from torchvision import tv_tensors


class PickChannels:
    """Selects channels of a field, in this order; signs: -1 negates one."""

    def __init__(self, field, channels, axis, signs=None):
        self.field, self.channels = field, channels
        self.axis, self.signs = axis, signs

    def __call__(self, sample):
        value = sample[self.field]
        picked = value.index_select(self.axis, torch.tensor(self.channels))
        if self.signs is not None:
            signs = torch.tensor(self.signs, dtype=value.dtype)
            picked = (picked.movedim(self.axis, -1) * signs).movedim(-1, self.axis)
        if isinstance(value, tv_tensors.TVTensor):
            picked = tv_tensors.wrap(picked, like=value)
        return {**sample, self.field: picked}
