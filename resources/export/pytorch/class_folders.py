# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torchvision.datasets import ImageFolder


class Samples(ImageFolder):
    """The files DATA/CLASS/FILE with the numbers of their classes."""

    def __getitem__(self, index):
        path, label = self.samples[index]
        return load({"image": path, "label": label})
