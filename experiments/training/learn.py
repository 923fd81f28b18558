# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""One training of the small network, from Millrace's batches, torch's DataLoader or torchdata's.

Prints a JSON line for each epoch and one at the end. All loaders have the same data, sizes, batches,
workers and augmentation; the held-out pictures are the same tensors for all.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time
import zlib
from pathlib import Path

import torch
from torch import nn
from torchvision import datasets
from torchvision.transforms import v2

sys.path.insert(0, str(Path(__file__).parent / "examples"))
from pytorch_training import SMALL, keep, network

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
TO_TENSOR = [v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, DEVIATION)]
SIDE = SMALL["random_resized_crop.width"]


def millrace_loader(options):
    import millrace.torch

    overrides = {**SMALL, "workers.count": options.workers}
    return millrace.torch.DataLoader(
        "classification", data=options.data, overrides=overrides, seed=options.seed, store=options.store
    )


def torch_loader(options, kind=torch.utils.data.DataLoader):
    crop = v2.RandomResizedCrop(SIDE, (SMALL["random_resized_crop.scale_min"], 1.0), antialias=True)
    pictures = datasets.ImageFolder(
        Path(options.data, "train"), v2.Compose([crop, v2.RandomHorizontalFlip(), *TO_TENSOR])
    )
    return kind(
        pictures,
        batch_size=SMALL["batch.size"],
        shuffle=True,
        num_workers=options.workers,
        persistent_workers=options.workers > 0,
        generator=torch.Generator().manual_seed(options.seed),
    )


def torchdata_loader(options):
    from torchdata.stateful_dataloader import StatefulDataLoader

    return torch_loader(options, StatefulDataLoader)


LOADERS = {"millrace": millrace_loader, "torch": torch_loader, "torchdata": torchdata_loader}


def held_out(options):
    shrink = [v2.Resize(SIDE, antialias=True), v2.CenterCrop(SIDE)]
    pictures = datasets.ImageFolder(Path(options.data, "val"), v2.Compose([*shrink, *TO_TENSOR]))
    images, labels = zip(*pictures)
    return torch.stack(images), torch.tensor(labels)


def fields(batch):
    if isinstance(batch, dict):
        return batch["image"], batch["label"].long()
    return batch


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        found = model(images).argmax(1)
    model.train()
    return (found == labels).float().mean().item()


def restore(file, model, optimizer, loader):
    kept = torch.load(file, weights_only=False)  # torchdata's state holds more than tensors
    model.load_state_dict(kept["model"])
    optimizer.load_state_dict(kept["optimizer"])
    loader.load_state_dict(kept["loader"])
    return kept["epoch"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("loader", choices=LOADERS)
    parser.add_argument("--data", required=True, help="a folder with train and val")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--checkpoint", help="continue from this checkpoint, if it exists; not torch")
    parser.add_argument("--die-at", type=int, help="write the checkpoint at this batch, then kill the process")
    parser.add_argument("--batches", help="append each batch's checksum as a line to this file")
    parser.add_argument("--store", help="keep the training in this store; only Millrace")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    loader = LOADERS[options.loader](options)
    classes = len(os.listdir(Path(options.data, "train")))
    model = network(classes)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    images, labels = held_out(options)
    epoch = done = 0
    if options.checkpoint and os.path.exists(options.checkpoint):
        epoch = restore(options.checkpoint, model, optimizer, loader)
    log = open(options.batches, "a") if options.batches else None
    trained = 0.0
    first = epoch
    while epoch < options.epochs:
        begun = time.perf_counter()
        for batch in loader:
            image, label = fields(batch)
            loss = nn.functional.cross_entropy(model(image), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            done += 1
            if log:
                sums = zlib.crc32(image.numpy()), zlib.crc32(label.numpy())
                print(epoch, *sums, file=log, flush=True)
            if done == options.die_at:
                keep(options.checkpoint, model, optimizer, loader, epoch)
                os.kill(os.getpid(), signal.SIGKILL)
        trained += time.perf_counter() - begun
        epoch += 1
        print(json.dumps({"epoch": epoch, "right": accuracy(model, images, labels)}), flush=True)
    weights = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in model.parameters()))
    print(
        json.dumps(
            {
                "loader": options.loader,
                "epochs_a_minute": (epoch - first) / trained * 60 if trained else None,
                "right": accuracy(model, images, labels),
                "weights": weights.hexdigest()[:16],
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main()
