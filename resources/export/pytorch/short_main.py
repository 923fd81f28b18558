# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time

import torch

if __name__ == "__main__":  # one epoch: the fields of a batch, and the rate
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = make_loader()
    loader.sampler.set_epoch(0)  # before each epoch
    started, samples = time.perf_counter(), 0
    for batch in loader:
        batch = {n: v.to(device, non_blocking=True) for n, v in batch.items()}
        samples += len(next(iter(batch.values())))
    print(f"{samples} samples, {samples / (time.perf_counter() - started):.0f}/s")
    print({name: (value.dtype, *value.shape) for name, value in batch.items()})
