# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in PyTorch: DataLoader with worker processes, torchvision's transforms on tensors."""

import itertools

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import io
from torchvision.transforms import v2

WORKS = ("photos", "pairs", "masks")
PHOTO = v2.Compose(
    [
        v2.RandomResizedCrop(224, antialias=True),
        v2.RandomHorizontalFlip(),
        v2.ToDtype(torch.float32, scale=True),
        v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]
)


class Photos(Dataset):
    def __init__(self, data):
        folders = sorted(folder for folder in (data / "train").iterdir())
        self.files = [
            (str(file), label)
            for label, folder in enumerate(folders)
            for file in sorted(folder.iterdir())
        ]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        file, label = self.files[index]
        return PHOTO(io.decode_image(io.read_file(file), io.ImageReadMode.RGB)), label


class Pairs(Dataset):
    def __init__(self, data):
        names = sorted(file.name for file in (data / "high").iterdir())
        self.files = [(str(data / "low" / n), str(data / "high" / n)) for n in names]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        low, high = (io.decode_image(io.read_file(file)) for file in self.files[index])
        top = int(torch.randint(low.shape[1] - 48 + 1, ()))
        left = int(torch.randint(low.shape[2] - 48 + 1, ()))
        low = low[:, top : top + 48, left : left + 48]
        high = high[:, 4 * top : 4 * top + 192, 4 * left : 4 * left + 192]
        if torch.rand(()) < 0.5:
            low, high = low.flip(-1), high.flip(-1)
        return low.float() / 255, high.float() / 255


class Masks(Dataset):
    def __init__(self, data):
        names = sorted(file.name for file in (data / "images").iterdir())
        self.files = [(str(data / "images" / n), str(data / "labels" / n)) for n in names]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        image, mask = (io.read_file(file) for file in self.files[index])
        image, mask = io.decode_image(image), io.decode_image(mask, io.ImageReadMode.GRAY)
        if torch.rand(()) < 0.5:
            image, mask = image.flip(-1), mask.flip(-1)
        one_hot = torch.nn.functional.one_hot(mask[0].long(), 12).float()
        return image.permute(1, 2, 0).float() / 255, one_hot


def loader(work, data, threads, batch):
    dataset = {"photos": Photos, "pairs": Pairs, "masks": Masks}[work](data)
    batches = DataLoader(
        dataset,
        batch_size=batch,
        shuffle=True,
        num_workers=threads,
        drop_last=True,
        persistent_workers=True,
        prefetch_factor=4,
    )
    for _ in itertools.count():
        for first, _ in batches:
            yield len(first)
