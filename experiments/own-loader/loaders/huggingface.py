# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Fine-tuning of a vision transformer with Hugging Face's datasets."""
import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from torchvision.transforms import Compose, Normalize, RandomHorizontalFlip, RandomResizedCrop, ToTensor

train = load_dataset("imagefolder", data_dir="classes", split="train")
transform = Compose([RandomResizedCrop(224), RandomHorizontalFlip(), ToTensor(), Normalize([0.5] * 3, [0.5] * 3)])


def preprocess(batch):
    batch["pixel_values"] = [transform(image.convert("RGB")) for image in batch["image"]]
    return batch


def collate(samples):
    return {"pixel_values": torch.stack([sample["pixel_values"] for sample in samples]),
            "labels": torch.tensor([sample["label"] for sample in samples])}


train.set_transform(preprocess)
loader = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate, num_workers=2, persistent_workers=True)
