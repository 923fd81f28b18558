# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time

if __name__ == "__main__":  # one epoch: the fields of a batch, and the rate
    loader = make_loader()
    loader.sampler.set_epoch(0)  # before each epoch
    started, samples = time.perf_counter(), 0
    for batch in loader:
        samples += len(next(iter(batch.values())))
    print(f"{samples} samples, {samples / (time.perf_counter() - started):.0f}/s")
    print({name: (rows[0].dtype, *rows[0].shape) for name, rows in batch.items()})
