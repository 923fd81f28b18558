# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, with the engine's own sentences."""

from __future__ import annotations

from typing import NamedTuple


class Error(Exception):
    """The engine did not do what it was asked."""


class PipelineError(Error, ValueError):
    """The pipeline, its data or a setting is wrong. The text has every problem, a line each."""


class RunError(Error, RuntimeError):
    """The run ended: more samples failed than were allowed, or a library gave up."""


class StateError(Error, ValueError):
    """A state that is damaged, or of another pipeline or data set. The text says what differs."""


class UseError(Error, RuntimeError):
    """Called as it must not be: closed, two threads at once, after a fork."""


class HeldBatchesWarning(RuntimeWarning):
    """The engine waits, because arrays of earlier batches are still referenced."""


class Failure(NamedTuple):
    """A sample that could not be made into a row of its batch."""

    sample: str
    """Its name: the path below the data's root."""
    reason: str
    """"decode: truncated after 18 231 bytes"."""
