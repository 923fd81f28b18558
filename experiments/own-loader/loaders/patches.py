# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Super-resolution: the script cuts its patches itself."""
import random
from pathlib import Path

from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import functional as F

SIDE, SCALE = 48, 4


class Patches(Dataset):
    def __init__(self, folder):
        self.small = sorted(Path(folder).glob("*_LR.png"))

    def __len__(self):
        return len(self.small)

    def __getitem__(self, i):
        small = Image.open(self.small[i]).convert("RGB")
        large = Image.open(str(self.small[i]).replace("_LR", "_HR")).convert("RGB")
        x, y = random.randint(0, small.width - SIDE), random.randint(0, small.height - SIDE)
        small = small.crop((x, y, x + SIDE, y + SIDE))
        large = large.crop((SCALE * x, SCALE * y, SCALE * (x + SIDE), SCALE * (y + SIDE)))
        if random.random() < 0.5:
            small, large = F.hflip(small), F.hflip(large)
        return F.to_tensor(small), F.to_tensor(large)


loader = DataLoader(Patches("pairs"), batch_size=4, shuffle=True)
