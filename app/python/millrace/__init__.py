# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Millrace's engine as the loader of a training program, and its measurements.

    import millrace

    with millrace.Loader("pipeline.millrace.json", overrides={"workers.count": 8}) as loader:
        for epoch in range(10):
            for batch in loader:
                train(batch["image"], batch["label"])

Batches are NumPy arrays over the engine's own memory, or arrays on a GPU for DLPack: no copy is
made. `millrace.torch` and `millrace.tensorflow` convert them for these frameworks.

    result = millrace.run("pipeline.millrace.json", settings={"workers.count": 4}, seconds=5)
    print(result.samples_per_second)
"""

from ._batch import Batch
from ._device import DeviceArray
from ._errors import Error, Failure, HeldBatchesWarning, PipelineError, RunError, StateError, UseError
from ._examine import ExamineResult, examine
from ._jobs import Advice, CompareResult, DiagnoseResult, RunResult, compare, diagnose, run
from ._library import engine_version
from ._loader import Loader
from ._results import Rate, Verdict
from ._searches import SweepResult, SweepTrial, TuneResult, sweep, tune

__all__ = [
    "Advice",
    "Batch",
    "CompareResult",
    "DeviceArray",
    "DiagnoseResult",
    "Error",
    "ExamineResult",
    "Failure",
    "HeldBatchesWarning",
    "Loader",
    "PipelineError",
    "Rate",
    "RunError",
    "RunResult",
    "StateError",
    "SweepResult",
    "SweepTrial",
    "TuneResult",
    "UseError",
    "Verdict",
    "compare",
    "diagnose",
    "engine_version",
    "examine",
    "run",
    "sweep",
    "tune",
]
__version__ = "0.1.0"
