# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
import time

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel


def train(device, epochs, compiled):
    """Train until this many epochs are done in all; continue from a checkpoint."""
    torch.manual_seed(SEED + RANK)
    loader, model = make_loader(), make_model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    scaled = device.type == "cuda" and PRECISION == torch.float16
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    parts = {"model": model, "optimizer": optimizer, "scaler": scaler}
    start = 0
    if os.path.exists(CHECKPOINT):
        state = torch.load(CHECKPOINT, device, weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        start = state["epoch"]
        # Other random values than those of the first epochs.
        loader.generator.manual_seed(SEED + RANK + start * WORLD_SIZE)
    if distributed.is_initialized():
        devices = [device] if device.type == "cuda" else None
        net = DistributedDataParallel(model, devices)
    else:
        net = model
    net = torch.compile(net) if compiled else net
    for epoch in range(start, epochs):
        loader.sampler.set_epoch(epoch)
        started = time.perf_counter()
        loss, samples = train_epoch(loader, net, optimizer, scaler, device)
        rate = samples / (time.perf_counter() - started)
        if RANK == 0:
            print(f"epoch {epoch + 1}: loss {loss:.4f}, {rate:.0f} samples/s")
            states = {name: part.state_dict() for name, part in parts.items()}
            save(CHECKPOINT, epoch=epoch + 1, **states)
