# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Super-resolution: pairs of pictures, whole."""
from pathlib import Path

from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2


class Pairs(Dataset):
    def __init__(self, folder):
        self.small = sorted(Path(folder).glob("*_LR.png"))
        self.transform = v2.ToTensor()

    def __len__(self):
        return len(self.small)

    def __getitem__(self, i):
        large = self.small[i].with_name(self.small[i].name.replace("_LR", "_HR"))
        return {"lr": self.transform(Image.open(self.small[i]).convert("RGB")),
                "hr": self.transform(Image.open(large).convert("RGB")), "name": self.small[i].name}


loader = DataLoader(Pairs("pairs"), batch_size=1, shuffle=True)
