# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse
import contextlib
import os
import time

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel


def save(file, **state):
    """Write a checkpoint; a crash meanwhile leaves the previous one intact."""
    torch.save(state, f"{file}.part")
    os.replace(f"{file}.part", file)


def train_epoch(loader, model, optimizer, scaler, device):
    """Train on each batch once; return the mean loss and the number of samples."""
    total, samples = torch.zeros((), device=device), 0
    for batch in loader:
        rows = len(batch[FIELDS[0]])
        batch = {n: v.to(device, non_blocking=True) for n, v in batch.items()}
        mixed = PRECISION != torch.float32
        with torch.autocast(device.type, PRECISION, enabled=mixed):
            loss = loss_of(model, batch)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        total += loss.detach() * rows
        samples += rows
    return total.item() / samples, samples


def train(device, epochs):
    """Train until this many epochs are done in all; continue from a checkpoint."""
    torch.manual_seed(SEED + RANK)
    loader, model = make_loader(), make_model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    scaled = device.type == "cuda" and PRECISION == torch.float16
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    parts = {"model": model, "optimizer": optimizer, "scaler": scaler}
    net, start = model, 0
    if os.path.exists(CHECKPOINT):
        state = torch.load(CHECKPOINT, device, weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        start = state["epoch"]
    joined = contextlib.nullcontext
    if distributed.is_initialized():
        devices = [device] if device.type == "cuda" else None
        net = DistributedDataParallel(model, devices)
        joined = net.join  # ranks may have different numbers of batches
    for epoch in range(start, epochs):
        started = time.perf_counter()
        with joined():
            loss, samples = train_epoch(loader, net, optimizer, scaler, device)
        rate = samples / (time.perf_counter() - started)
        if RANK == 0:
            print(f"epoch {epoch + 1}: loss {loss:.4f}, {rate:.0f} samples/s")
            states = {name: part.state_dict() for name, part in parts.items()}
            save(CHECKPOINT, epoch=epoch + 1, **states)


def main():
    """Train in this process, or in each that torchrun starts."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="in all")
    options = parser.parse_args()
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    if "WORLD_SIZE" in os.environ:
        distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    train(device, options.epochs)
    if distributed.is_initialized():
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
