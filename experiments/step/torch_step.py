# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The network of `training_step` in PyTorch, on random pictures: times of its steps as JSON.

The times of the parts are from steps that are each waited for; `plain_ms` is the time of a step in a
loop that only waits for the last one.

torch_step.py --network light|heavy --precision f32|f16|bf16 [--side 224] [--rows 256] [--steps 50]
"""

import argparse
import json
import time

import torch
from torch import nn

WIDTH_AND_BLOCKS = {"light": (16, 1), "heavy": (64, 2)}
LARGE_SIDE = 64  # from this on the stem and the first stage halve the picture too


def conv(channels_in, channels_out, kernel, stride):
    return nn.Conv2d(
        channels_in, channels_out, kernel, stride, padding=kernel // 2, bias=False
    )


class Block(nn.Module):
    def __init__(self, channels_in, channels, stride):
        super().__init__()
        self.inside = nn.Sequential(
            conv(channels_in, channels, 3, stride),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            conv(channels, channels, 3, 1),
            nn.BatchNorm2d(channels),
        )
        self.skip = nn.Identity()
        if stride != 1 or channels_in != channels:
            self.skip = nn.Sequential(
                conv(channels_in, channels, 1, stride), nn.BatchNorm2d(channels)
            )

    def forward(self, x):
        return torch.relu(self.inside(x) + self.skip(x))


def network(name, side, classes):
    width, blocks = WIDTH_AND_BLOCKS[name]
    first = 2 if side >= LARGE_SIDE else 1
    layers = [conv(3, width, 3, first), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
    channels = width
    for stage in range(4):
        for block in range(blocks):
            stride = 1 if block > 0 else (2 if stage > 0 else first)
            layers.append(Block(channels, width << stage, stride))
            channels = width << stage
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)]
    return nn.Sequential(*layers)


class NoMarks:
    """For steps whose parts are not timed."""

    def mark(self):
        pass


class Marks:
    """Times between marks: by CUDA events, or by the clock if there is no GPU."""

    def __init__(self, device):
        self.device = device
        self.marks = []

    def mark(self):
        if self.device == "cuda":
            event = torch.cuda.Event(enable_timing=True)
            event.record()
            self.marks.append(event)
        else:
            self.marks.append(time.perf_counter())

    def milliseconds(self):
        if self.device == "cuda":
            torch.cuda.synchronize()
            pairs = zip(self.marks, self.marks[1:])
            return [a.elapsed_time(b) for a, b in pairs]
        return [1e3 * (b - a) for a, b in zip(self.marks, self.marks[1:])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--network", choices=WIDTH_AND_BLOCKS, default="heavy")
    parser.add_argument("--precision", choices=["f32", "f16", "bf16"], default="f16")
    parser.add_argument("--side", type=int, default=224)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--classes", type=int, default=1000)
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    model = network(args.network, args.side, args.classes).to(
        device, memory_format=torch.channels_last
    )
    optimiser = torch.optim.SGD(
        model.parameters(), lr=0.05, momentum=0.9, weight_decay=0.0001
    )
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(args.precision)
    scaler = torch.amp.GradScaler(
        device, enabled=args.precision == "f16" and device == "cuda"
    )
    loss_of = nn.CrossEntropyLoss()
    # u8 pictures with the channels last are what the step of Millrace gets, too.
    pictures = torch.randint(
        0, 256, (args.rows, args.side, args.side, 3), dtype=torch.uint8, device=device
    )
    labels = torch.randint(0, args.classes, (args.rows,), device=device)

    def step(marks):
        marks.mark()
        with torch.autocast(device, dtype=dtype, enabled=dtype is not None):
            x = pictures.permute(0, 3, 1, 2).to(dtype or torch.float32).mul(1 / 255)
            loss = loss_of(model(x), labels)
        marks.mark()
        optimiser.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        marks.mark()
        scaler.step(optimiser)
        scaler.update()
        marks.mark()
        return loss

    for _ in range(min(10, args.steps)):
        step(Marks(device))
    parts = [0.0, 0.0, 0.0]
    for _ in range(args.steps):
        marks = Marks(device)
        loss = step(marks)
        for i, took in enumerate(marks.milliseconds()):
            parts[i] += took / args.steps
    # As in a training program: only PyTorch itself may wait for a step.
    plain = Marks(device)
    plain.mark()
    for _ in range(args.steps):
        loss = step(NoMarks())
    plain.mark()
    plain_ms = plain.milliseconds()[0] / args.steps
    print(
        json.dumps(
            {
                "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
                "torch": torch.__version__,
                "parameters": sum(p.numel() for p in model.parameters()),
                "forward_ms": parts[0],
                "backward_ms": parts[1],
                "update_ms": parts[2],
                "plain_ms": plain_ms,
                "loss": float(loss),
            }
        )
    )


if __name__ == "__main__":
    main()
