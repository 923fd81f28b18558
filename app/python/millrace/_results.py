# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What the results of all jobs share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class JobResult:
    """What the result of every measurement has."""

    outcome: str
    """"finished", or "interrupted" if Ctrl+C ended it early."""
    warnings: tuple[str, ...]
    """What the user should know about the figures, in sentences."""
    raw: dict[str, Any] = field(repr=False)
    """The complete result, with the keys of the command's `--json`
    (docs/reference/command-line.md)."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""
        return self.outcome == "interrupted"


@dataclass(frozen=True)
class Rate:
    """Samples per second with their 95 % confidence interval."""

    mean: float | None
    """None: nothing was measured."""
    low: float | None
    """None: there were too few repeats for an interval."""
    high: float | None

    def __str__(self) -> str:
        if self.mean is None:
            return "not measured"
        if self.low is None or self.high is None:
            return f"{self.mean:,.0f} samples/s"
        return f"{self.mean:,.0f} [{self.low:,.0f}, {self.high:,.0f}] samples/s"


def rate_of(figures: Mapping[str, Any] | None) -> Rate:
    """Return a rate as results and events contain it."""
    figures = figures or {}
    return Rate(figures.get("mean"), figures.get("ci95_low"), figures.get("ci95_high"))


@dataclass(frozen=True)
class Verdict:
    """Whether B differs from A (docs/reference/verdict.md)."""

    kind: str
    """"faster" or "slower": B than A; "~": no difference was seen; "too few": more repeats are wanted;
    "not alike": the two cannot be compared, `differs` says why."""
    ratio: float | None
    """B's rate divided by A's: 1.2 is 20 % faster. None: not measured."""
    low: float | None
    """Lower end of the ratio's 95 % confidence interval."""
    high: float | None
    """Upper end."""
    differs: tuple[str, ...]
    """What prevents a verdict."""
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def verdict_of(verdict: Mapping[str, Any] | None) -> Verdict | None:
    """Return a verdict as results contain it; None if there is none."""
    if not verdict:
        return None
    return Verdict(
        kind=verdict["kind"],
        ratio=verdict["ratio"],
        low=verdict["ratio_ci95_low"],
        high=verdict["ratio_ci95_high"],
        differs=tuple(verdict["differs"] or ()),
        sentence=verdict["sentence"],
    )
