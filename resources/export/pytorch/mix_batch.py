# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: rounded_to
import torch
from torchvision import tv_tensors


class MixBatch:
    """v2.MixUp or v2.CutMix on the pictures and labels of a batch."""

    def __init__(self, pictures, labels, mix, p=1.0):
        self.pictures, self.labels = pictures, labels
        self.mix, self.p = mix, p

    def __call__(self, batch):
        if float(torch.rand(())) >= self.p:
            return batch
        (label,) = self.labels
        part = {n: tv_tensors.Image(batch[n].float()) for n in self.pictures}
        part["label"] = batch[label]
        mixed = self.mix(part)
        batch = dict(batch)
        for name in self.pictures:
            pixels = mixed[name].as_subclass(torch.Tensor)
            batch[name] = rounded_to(batch[name].dtype, pixels)
        batch[label] = mixed["label"]
        return batch
