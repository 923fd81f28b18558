# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Millrace's engine as the loader of a training program.

    import millrace

    with millrace.Loader("pipeline.millrace.json", overrides={"workers.count": 8}) as loader:
        for epoch in range(10):
            for batch in loader:
                train(batch["image"], batch["label"])

Batches are NumPy arrays over the engine's own memory, or arrays on a GPU for DLPack: no copy is
made. `millrace.torch` and `millrace.tensorflow` convert them for these frameworks.
"""

from ._batch import Batch
from ._device import DeviceArray
from ._errors import Error, Failure, HeldBatchesWarning, PipelineError, RunError, StateError, UseError
from ._library import engine_version
from ._loader import Loader

__all__ = [
    "Batch",
    "DeviceArray",
    "Error",
    "Failure",
    "HeldBatchesWarning",
    "Loader",
    "PipelineError",
    "RunError",
    "StateError",
    "UseError",
    "engine_version",
]
__version__ = "0.1.0"
