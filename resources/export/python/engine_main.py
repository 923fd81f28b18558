# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import time


def main():
    """Run one epoch; print a batch's fields and the rate."""
    started, samples = time.perf_counter(), 0
    with make_loader() as loader:
        for batch in loader:  # for PyTorch: millrace.torch.tensors(batch)
            if samples == 0:
                print(batch)
            samples += batch.rows
    seconds = time.perf_counter() - started
    print(f"{samples} samples in {seconds:.2f} s, {samples / seconds:.0f} samples/s")


if __name__ == "__main__":
    main()
