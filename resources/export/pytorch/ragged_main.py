# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time


def main():
    """Run one epoch; print the fields of a sample and the rate."""
    loader = make_loader()
    loader.sampler.set_epoch(0)  # before each epoch
    started, samples = time.perf_counter(), 0
    for batch in loader:
        samples += len(next(iter(batch.values())))
    seconds = time.perf_counter() - started
    for name, rows in batch.items():
        print(f"{name}: {rows[0].dtype} {tuple(rows[0].shape)}")
    print(f"{samples} samples in {seconds:.2f} s, {samples / seconds:.0f} samples/s")


if __name__ == "__main__":
    main()
