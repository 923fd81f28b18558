# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A small network in PyTorch on Millrace's batches; continues where it was stopped.

python pytorch_training.py [--data FOLDER] [--epochs N] [--checkpoint FILE]

FOLDER has `train` and `val`, each with one folder a class; without it pictures are drawn. Stop it
with Ctrl+C or kill it, and start it again: it resumes after the last checkpoint.
"""

import argparse
import os

import torch
from torch import nn

import millrace.torch

SMALL = {
    "random_resized_crop.width": 64,
    "random_resized_crop.height": 64,
    "random_resized_crop.scale_min": 0.4,
    "batch.size": 32,
}


def network(classes):
    layers = []
    for width, wider in ((3, 16), (16, 32), (32, 64)):
        layers += [nn.Conv2d(width, wider, 3, padding=1), nn.BatchNorm2d(wider), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(64 * 16, classes))


def accuracy(model, data):
    """The share of the `val` pictures that the network names."""
    centred = {**SMALL, "image_folder.subset": "validation"}
    right = seen = 0
    model.eval()
    with torch.no_grad(), millrace.torch.DataLoader(
        "classification", data=data, overrides=centred, no_random=True
    ) as loader:
        for batch in loader:
            right += (model(batch["image"]).argmax(1) == batch["label"]).sum().item()
            seen += len(batch["label"])
    model.train()
    return right / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    with millrace.torch.DataLoader(
        "classification", data=arguments.data, overrides=SMALL, seed=1
    ) as loader:
        model = network(len(loader.loader.classes))
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        epoch = 0
        if os.path.exists(arguments.checkpoint):
            kept = torch.load(arguments.checkpoint)
            model.load_state_dict(kept["model"])
            optimizer.load_state_dict(kept["optimizer"])
            loader.load_state_dict(kept["loader"])
            epoch = kept["epoch"]
        while epoch < arguments.epochs:
            for count, batch in enumerate(loader, 1):
                loss = nn.functional.cross_entropy(model(batch["image"]), batch["label"].long())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                if count % 8 == 0:
                    keep(arguments.checkpoint, model, optimizer, loader, epoch)
            epoch += 1
            keep(arguments.checkpoint, model, optimizer, loader, epoch)
            print(f"epoch {epoch}: {accuracy(model, arguments.data):.1%} right", flush=True)
        stats = loader.loader.stats()
        share = stats["step_share"]
        print(f"the network was busy {share:.0%} of the time" if share else "nothing left to train")


def keep(file, model, optimizer, loader, epoch):
    """Write it completely or not at all."""
    torch.save(
        {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "loader": loader.state_dict(),
            "epoch": epoch,
        },
        file + ".new",
    )
    os.replace(file + ".new", file)


if __name__ == "__main__":
    main()
