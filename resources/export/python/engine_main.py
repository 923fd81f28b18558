# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time

import millrace


def train_step(batch: millrace.Batch) -> None:
    """Train on a batch: put your code here.

    batch["..."] are NumPy arrays over the engine's memory; for PyTorch,
    millrace.torch.tensors(batch) makes tensors of them without a copy.
    """


def main() -> None:
    """Run one epoch; print a batch's fields and the rate."""
    with make_loader() as loader:
        samples = 0
        started = time.perf_counter()
        for batch in loader:
            if samples == 0:
                print(batch)
            train_step(batch)
            samples += batch.rows
        seconds = time.perf_counter() - started
    rate = samples / seconds
    print(f"{samples} samples in {seconds:.2f} s, {rate:.0f} samples/s")


if __name__ == "__main__":
    main()
