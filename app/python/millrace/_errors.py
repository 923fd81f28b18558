# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Exceptions; their text is the engine's message."""

from __future__ import annotations

from typing import NamedTuple


class Error(Exception):
    """Base class of the engine's errors."""


class PipelineError(Error, ValueError):
    """The pipeline, its data or a setting is wrong. The text lists every problem, one on each line."""


class RunError(Error, RuntimeError):
    """The run ended: more samples failed than allowed, or a library failed."""


class StateError(Error, ValueError):
    """The state is damaged, or of another pipeline or data set. The text says what differs."""


class UseError(Error, RuntimeError):
    """Wrong use: a closed loader, two threads at once, after a fork."""


class HeldBatchesWarning(RuntimeWarning):
    """The engine is waiting because arrays of earlier batches are still referenced."""


class Failure(NamedTuple):
    """A sample that could not become a row of its batch."""

    sample: str
    """Its name: the path below the data's root."""
    reason: str
    """"decode: truncated after 18 231 bytes"."""
