# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The validation of an ImageNet training."""
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder

validation = ImageFolder("classes", transforms.Compose([
    transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(),
    transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]))
loader = DataLoader(validation, batch_size=32, num_workers=2, persistent_workers=True)
