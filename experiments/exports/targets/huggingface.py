# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to huggingface` writes.

Its loader is that of the target pytorch over another data set.
"""

import sys

from targets.pytorch import TOLERANCE, TRAINING, batches, epochs

__all__ = ["TOLERANCE", "TRAINING", "batches", "epochs", "trainings"]


def trainings(file):
    """Two epochs and a third from the checkpoint; then the same in two processes.

    Trainer cannot continue with another number of processes: the code refuses.
    """
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", 2]
    return [
        [sys.executable, file, "--epochs", 2],
        [sys.executable, file, "--epochs", 3],
        [sys.executable, "-c", "import shutil; shutil.rmtree('checkpoints')"],
        [*torchrun, file, "--epochs", 1],
        [*torchrun, file, "--epochs", 2],
    ]
