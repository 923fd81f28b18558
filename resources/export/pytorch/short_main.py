# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time

import torch


def main():
    """Run one epoch; print a batch's fields and the rate."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = make_loader()
    loader.sampler.set_epoch(0)  # before each epoch
    started, samples = time.perf_counter(), 0
    for batch in loader:
        batch = {n: v.to(device, non_blocking=True) for n, v in batch.items()}
        samples += len(next(iter(batch.values())))
    seconds = time.perf_counter() - started
    for name, value in batch.items():
        print(f"{name}: {value.dtype} {tuple(value.shape)}")
    print(f"{samples} samples in {seconds:.2f} s, {samples / seconds:.0f} samples/s")


if __name__ == "__main__":
    main()
