# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time


def main():
    """Run one epoch; print a batch's fields and the rate."""
    started, samples = time.perf_counter(), 0
    for batch in make_dataset():
        samples += len(next(iter(batch.values())))
    seconds = time.perf_counter() - started
    for name, value in batch.items():
        print(f"{name}: {value.dtype} {value.shape}")
    print(f"{samples} samples in {seconds:.2f} s, {samples / seconds:.0f} samples/s")


if __name__ == "__main__":
    main()
