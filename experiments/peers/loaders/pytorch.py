# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in PyTorch: DataLoader with worker processes, torchvision's transforms on tensors."""

import itertools
import math
import random
import struct

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info
from torchvision import io
from torchvision.transforms import v2

WORKS = ("photos", "augmented", "pairs", "blurred", "masks", "records")
# Folders, the size of the crop of the first picture, and how much larger the second one is.
PAIRS = {"pairs": ("low", "high", 48, 4), "blurred": ("blurred", "sharp", 256, 1)}
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


def evenly(most):
    return random.uniform(-most, most)


def warped(image):
    """Rotate, shift, shear and zoom a square; v2.RandomAffine cannot repeat the edges."""
    angle, lean = math.radians(evenly(40)), math.tan(math.radians(evenly(11.5)))
    zoom = random.uniform(0.8, 1.2)
    a, b = math.cos(angle) / zoom, math.sin(angle) / zoom
    c, d = a - b * lean, b + a * lean
    x, y = 2 * evenly(0.2), 2 * evenly(0.2)  # in halves of a side, as grids are
    theta = torch.tensor([[[c, d, -c * x - d * y], [-b, a, b * x - a * y]]])
    grid = torch.nn.functional.affine_grid(theta, [1, *image.shape], align_corners=False)
    return torch.nn.functional.grid_sample(
        image[None], grid, padding_mode="border", align_corners=False
    )[0]


class Augmented(Photos):
    RESIZE = v2.Resize((150, 150), antialias=True)

    def __getitem__(self, index):
        file, label = self.files[index]
        image = self.RESIZE(io.decode_image(io.read_file(file), io.ImageReadMode.RGB))
        image = warped(image.float())
        if random.random() < 0.5:
            image = image.flip(-1)
        image += torch.empty(3, 1, 1).uniform_(-20, 20)
        return image.clamp_(0, 255).div_(255).permute(1, 2, 0), label


class Pairs(Dataset):
    def __init__(self, data, first, second, crop, scale):
        names = sorted(file.name for file in (data / first).iterdir())
        self.files = [(str(data / first / n), str(data / second / n)) for n in names]
        self.crop, self.scale = crop, scale

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        low, high = (io.decode_image(io.read_file(file)) for file in self.files[index])
        crop, scale = self.crop, self.scale
        top = int(torch.randint(low.shape[1] - crop + 1, ()))
        left = int(torch.randint(low.shape[2] - crop + 1, ()))
        low = low[:, top : top + crop, left : left + crop]
        top, left, crop = scale * top, scale * left, scale * crop
        high = high[:, top : top + crop, left : left + crop]
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


# By kind of piece: own, the opponent's negated, and the same of the squares attacked.
CHANNELS = [channel for k in range(6) for channel in (k, 6 + k, 12 + k, 18 + k)]
SIGNS = np.array([1.0, -1.0, 1.0, -1.0] * 6)


def unpacked(records):
    """Make a batch of serialised Examples with NumPy."""
    from tfrecord.example_pb2 import Example

    features = [Example.FromString(record).features.feature for record in records]
    packed = np.frombuffer(b"".join(f["d"].bytes_list.value[0] for f in features), np.uint8)
    score = np.array([f["s"].int64_list.value[0] for f in features], np.float64)
    bits = np.unpackbits(packed.reshape(-1, 194), axis=1)
    board = bits[:, :1536].reshape(-1, 8, 8, 24)[..., CHANNELS] * SIGNS
    mate = bits[:, 1546]
    mated = np.sign(score) * (1 - np.abs(score) / 100)
    score = np.where(mate > 0, mated, np.tanh(score / 1000))
    arrays = board, bits[:, 1536:1546].astype(np.float64), np.ascontiguousarray(mate), score
    return tuple(map(torch.from_numpy, arrays))


class Records(IterableDataset):
    """Batches of the records of this worker's files, shuffled in a window."""

    def __init__(self, data, batch, window=10000):
        self.files, self.batch, self.window = sorted(data.iterdir()), batch, window

    def records(self):
        worker = get_worker_info()
        files = self.files[worker.id :: worker.num_workers]
        random.shuffle(files)
        for path in files:
            with open(path, "rb") as file:
                while head := file.read(12):
                    yield file.read(struct.unpack_from("<Q", head)[0])
                    file.seek(4, 1)  # its checksum

    def shuffled(self):
        window = []
        for record in self.records():
            if len(window) < self.window:
                window.append(record)
                continue
            place = random.randrange(self.window)
            yield window[place]
            window[place] = record
        random.shuffle(window)
        yield from window

    def __iter__(self):
        records = self.shuffled()
        while len(rows := list(itertools.islice(records, self.batch))) == self.batch:
            yield unpacked(rows)


def batches_of(work, data, threads, batch):
    how = {"num_workers": threads, "persistent_workers": True, "prefetch_factor": 4}
    if work == "records":
        return DataLoader(Records(data, batch), batch_size=None, **how)
    if work in PAIRS:
        dataset = Pairs(data, *PAIRS[work])
    else:
        dataset = {"photos": Photos, "augmented": Augmented, "masks": Masks}[work](data)
    return DataLoader(dataset, batch_size=batch, shuffle=True, drop_last=True, **how)


def loader(work, data, threads, batch):
    batches = batches_of(work, data, threads, batch)
    for _ in itertools.count():
        for first, *_ in batches:
            yield len(first)
