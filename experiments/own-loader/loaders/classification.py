# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""ImageNet training with torchvision: one step without a node between the usual ones."""
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder

train = ImageFolder("classes", transforms.Compose([
    transforms.RandomResizedCrop(176),
    transforms.RandomHorizontalFlip(0.5),
    transforms.TrivialAugmentWide(),
    transforms.ToTensor(),
    transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    transforms.RandomErasing(0.1),
]))
loader = DataLoader(train, batch_size=32, shuffle=True, num_workers=2, pin_memory=True, persistent_workers=True)
