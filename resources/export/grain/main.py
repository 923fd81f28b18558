# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import gc
import time

if __name__ == "__main__":  # one epoch: the fields of a batch, and the rate
    started, samples = time.perf_counter(), 0
    for batch in make_dataset():
        samples += len(next(iter(batch.values())))
    print(f"{samples} samples, {samples / (time.perf_counter() - started):.0f}/s")
    print({name: (value.dtype.name, *value.shape) for name, value in batch.items()})
    del batch
    gc.collect()
    time.sleep(0.5)  # Grain frees the last batches' shared memory in a thread
