# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A job of the engine, from start to result."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _library
from ._errors import PipelineError, RunError, UseError

if TYPE_CHECKING:
    AnyPath = Union[str, "os.PathLike[str]"]
    OnEvent = Callable[["dict[str, Any]"], None]

# Longest wait inside the engine; Ctrl+C is handled in between.
_SLICE_SECONDS = 0.1


def program_path(chosen: AnyPath | None) -> str:
    """Return the `millrace` program, which measures the trials of a search.

    It is the argument, else the environment variable MILLRACE_PROGRAM, else next to the library or
    in `bin` next to the library's folder, else on the PATH.

    Raises:
        UseError: there is none.
    """
    named = chosen if chosen is not None else os.environ.get("MILLRACE_PROGRAM") or None
    if named is not None:
        found = shutil.which(os.fspath(named))
        if found is None:
            raise UseError(f"{os.fspath(named)} is not a program that can be run")
        return found
    library = Path(_library.path())
    if library.parent != Path("."):
        for folder in (library.parent, library.parent.parent / "bin"):
            found = shutil.which("millrace", path=str(folder))
            if found is not None:
                return found
    found = shutil.which("millrace")
    if found is None:
        raise UseError(
            "the program `millrace`, which measures each trial, was not found: pass program=, set the"
            " environment variable MILLRACE_PROGRAM, or put its folder on the PATH"
        )
    return found


def add_pipeline(
    options: dict[str, Any],
    pipeline: AnyPath | Mapping[str, Any] | None,
    data: AnyPath | Sequence[AnyPath] | None,
) -> None:
    """Set the options that name a pipeline and its data."""
    if isinstance(pipeline, Mapping):
        options["document"] = pipeline
    elif isinstance(pipeline, str) and pipeline.lstrip().startswith("{"):
        raise PipelineError("a pipeline is a file name or a dict: convert JSON text with json.loads")
    elif pipeline is not None:
        options["pipeline"] = os.fspath(pipeline)
    if data is not None:
        options["data"] = paths(data)


def reading(
    settings: Mapping[str, Any] | None,
    seed: int | None,
    base: AnyPath | None,
    no_random: bool,
    no_fuse: bool,
    max_failures: int | str | None,
) -> dict[str, Any]:
    """Return the options that say how a pipeline is read and run."""
    return {
        "settings": settings,
        "seed": seed,
        "base": None if base is None else os.fspath(base),
        "no_random": no_random,
        "no_fuse": no_fuse,
        "max_failures": None if max_failures is None else str(max_failures),
    }


def keeping(
    store: bool | AnyPath, experiment: str | None, name: str | None, tags: Sequence[str] | None
) -> dict[str, Any]:
    """Return the options that say where runs are kept, and their labels."""
    return {
        "store": store if isinstance(store, bool) else os.fspath(store),
        "experiment": experiment,
        "name": name,
        "tags": None if tags is None else list(tags),
    }


def named_side(pipeline: AnyPath | int | Mapping[str, Any]) -> Any:
    """Return a side of a comparison as the engine reads it."""
    if isinstance(pipeline, Mapping):
        return dict(pipeline)
    return str(pipeline) if isinstance(pipeline, int) else os.fspath(pipeline)


def paths(value: AnyPath | Sequence[AnyPath]) -> list[str]:
    """Return one path or several as a list of texts."""
    some = [value] if isinstance(value, (str, os.PathLike)) else value
    return [os.fspath(path) for path in some]


def plain(value: Any) -> Any:
    """Return a value of NumPy or a path as JSON has it."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    item = getattr(value, "item", None)
    if item is None:
        raise TypeError(f"{value!r} cannot be a setting")
    return item()


class _Job:
    """A started job. Closed with `with`."""

    def __init__(self, kind: str, options: Mapping[str, Any], program: str | None) -> None:
        self._handle = ctypes.c_void_p()
        request = _library.JobOptions()
        request.abi = _library.ABI
        request.kind = kind.encode()
        request.options = json.dumps(options, default=plain).encode()
        request.program = None if program is None else os.fsencode(program)
        _library.check(
            _library.library().millrace_job_start(ctypes.byref(request), ctypes.byref(self._handle))
        )

    def __enter__(self) -> _Job:
        return self

    def __exit__(self, *_: object) -> None:
        _library.library().millrace_job_close(self._handle)

    def stop(self) -> None:
        _library.check(_library.library().millrace_job_stop(self._handle))

    def pass_events(self, on_event: OnEvent | None) -> None:
        """Pass events to `on_event` until the job has ended."""
        engine = _library.library()
        while True:
            text = ctypes.c_void_p()
            status = engine.millrace_job_next_event(self._handle, _SLICE_SECONDS, ctypes.byref(text))
            _library.check(status)
            if status == _library.JOB_END:
                return
            if status == _library.TIMEOUT:
                continue
            event = _library.taken_json(text.value)
            if on_event is not None:
                on_event(event)

    def result(self) -> dict[str, Any]:
        text = ctypes.c_void_p()
        _library.check(_library.library().millrace_job_result(self._handle, ctypes.byref(text)))
        return _library.taken_json(text.value)


def finished(
    kind: str,
    options: Mapping[str, Any],
    on_event: OnEvent | None,
    program: str | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """Run a job to its end; return its result and its warnings.

    Ctrl+C stops the job, and its result is what was measured so far; a second one is raised. It is
    also raised if nothing had been measured yet.
    """
    warnings: list[str] = []

    def collect(event: dict[str, Any]) -> None:
        if event.get("event") == "problem" and event.get("sample") is None:
            warnings.append(event["message"])
        if on_event is not None:
            on_event(event)

    chosen = {key: value for key, value in options.items() if value is not None}
    with _Job(kind, chosen, program) as job:
        try:
            job.pass_events(collect)
        except KeyboardInterrupt:
            job.stop()
            job.pass_events(collect)
            try:
                return job.result(), warnings
            except (PipelineError, UseError, RuntimeError):
                raise KeyboardInterrupt from None
        return job.result(), warnings


def measured(
    kind: str,
    options: Mapping[str, Any],
    on_event: OnEvent | None,
    program: str | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """Run a job to its end, as `finished`.

    Raises:
        RunError: what it measures failed.
    """
    raw, warnings = finished(kind, options, on_event, program)
    if raw["outcome"] == "failed":
        raise RunError(raw["reason"])
    return raw, warnings
