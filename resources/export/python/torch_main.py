# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse
import os

import torch
from torch import distributed


def main():
    """Train in this process, or in each that torchrun starts."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="in all")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    options = parser.parse_args()
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    if "WORLD_SIZE" in os.environ:
        distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    train(device, options.epochs, options.compile)
    if distributed.is_initialized():
        distributed.destroy_process_group()


if __name__ == "__main__":
    main()
