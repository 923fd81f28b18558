# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time


def main():
    """Run one epoch; print a batch's fields and the rate."""
    samples = 0
    started = time.perf_counter()
    for (batch,) in make_loader():
        if samples == 0:
            for name, value in batch.items():
                print(f"{name}: {value.dtype} {tuple(value.shape)}")
        samples += len(next(iter(batch.values())))
    seconds = time.perf_counter() - started
    rate = samples / seconds
    print(f"{samples} samples in {seconds:.2f} s, {rate:.0f} samples/s")


if __name__ == "__main__":
    main()
