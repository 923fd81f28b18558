# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A report on a data set: what `millrace inspect --all` does, as a function."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._job import finished
from ._results import JobResult

if TYPE_CHECKING:
    from ._job import AnyPath, OnEvent


@dataclass(frozen=True)
class ExamineResult(JobResult):
    """A report on a data set. If it was interrupted, it covers what was examined until then, and the
    next one continues. `raw["sets"]` has sizes, classes, mean and deviation of each set, and the
    samples that take longest to decode (docs/reference/data-report.md)."""

    findings: dict[str, int]
    """The number of samples with each finding, such as {"truncated": 3, "near-duplicates": 12}."""

    def samples(self, finding: str) -> list[dict[str, Any]]:
        """The named samples with a finding: `set`, `sample`, `reason`, and where known `file` and
        `like`, the sample that it is a copy of."""
        return [
            sample
            for found in self.raw["findings"]
            if found["finding"] == finding
            for sample in found["samples"]
        ]


def examine(
    path: AnyPath,
    *,
    against: AnyPath | None = None,
    workers: int | None = None,
    names: int | None = None,
    restart: bool = False,
    on_event: OnEvent | None = None,
) -> ExamineResult:
    """Examine every sample of a data set once, as `millrace inspect --all` does.

    What was examined is kept: a call that was ended early is continued by the next one, and a finished
    one is not repeated while the data is unchanged.

    Args:
        path: a folder or a file of any format that a pipeline reads.
        against: another data set, to find samples that both have.
        workers: number of threads, by default one for each core.
        names: how many samples are named for each finding, by default 10,000; all are counted.
        restart: discard what earlier calls have examined.
        on_event: called with each event.

    Raises:
        PipelineError: a path does not exist, or an argument is wrong.
        RunError: this is not a data set.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        "path": os.fspath(path),
        "against": None if against is None else os.fspath(against),
        "workers": workers,
        "names": names,
        "restart": restart,
    }
    raw, warnings = finished("examine", options, on_event)
    return ExamineResult(
        outcome="interrupted" if raw["interrupted"] else "finished",
        findings={found["finding"]: found["count"] for found in raw["findings"]},
        warnings=(*warnings, *(raw["notes"] or ())),
        raw=raw,
    )
