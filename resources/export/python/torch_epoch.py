# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os

import torch


def save(file, **state):
    """Write a checkpoint; a crash meanwhile leaves the previous one intact."""
    torch.save(state, f"{file}.part")
    os.replace(f"{file}.part", file)


def train_epoch(loader, model, optimizer, scaler, device):
    """Train on each batch once; return the mean loss and the number of samples."""
    total, samples = torch.zeros((), device=device), 0
    for batch in loader:
        batch = {
            name: value.to(device, non_blocking=True)
            for name, value in batch.items()
            if isinstance(value, torch.Tensor)
        }
        mixed = PRECISION != torch.float32
        with torch.autocast(device.type, PRECISION, enabled=mixed):
            loss = loss_of(model, batch)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        rows = len(next(iter(batch.values())))
        total += loss.detach() * rows
        samples += rows
    return total.item() / samples, samples
