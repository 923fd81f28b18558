# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Bindings of millrace.h with ctypes, which releases the GIL during every call."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from ._errors import Error, PipelineError, RunError, StateError, UseError

ABI = 3
_SONAME = "libmillrace.so.1"
OK, EPOCH_END, TIMEOUT, HELD, JOB_END = 0, 1, 2, 3, 4
_ERRORS = {-1: PipelineError, -2: RunError, -3: StateError, -4: UseError, -5: MemoryError}


class Options(ctypes.Structure):
    _fields_ = [
        ("abi", c_uint32),
        ("pipeline", c_char_p),
        ("text", c_char_p),
        ("run", c_char_p),
        ("store", c_char_p),
        ("base", c_char_p),
        ("data", POINTER(c_char_p)),
        ("data_count", c_size_t),
        ("settings", POINTER(c_char_p)),
        ("settings_count", c_size_t),
        ("seed", POINTER(c_uint64)),
        ("rank", c_uint32),
        ("world", c_uint32),
        ("held", c_uint32),
        ("no_random", c_uint32),
        ("max_failures", c_char_p),
        ("record", c_char_p),
        ("record_experiment", c_char_p),
        ("record_name", c_char_p),
        ("device", c_char_p),
    ]


class Row(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("bytes", c_size_t),
        ("ndim", c_int32),
        ("shape", POINTER(c_int64)),
    ]


class Field(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("dtype", c_char_p),
        ("data", c_void_p),
        ("bytes", c_size_t),
        ("ndim", c_int32),
        ("shape", POINTER(c_int64)),
        ("rows", POINTER(Row)),
    ]


class Batch(ctypes.Structure):
    _fields_ = [
        ("epoch", c_uint32),
        ("index", c_uint64),
        ("rows", c_size_t),
        ("field_count", c_size_t),
        ("fields", POINTER(Field)),
        ("samples", POINTER(c_uint32)),
        ("failed", c_uint64),
        ("device_type", c_int32),
        ("device_id", c_int32),
    ]


BatchPointer = POINTER(Batch)


class JobOptions(ctypes.Structure):
    _fields_ = [
        ("abi", c_uint32),
        ("kind", c_char_p),
        ("options", c_char_p),
        ("program", c_char_p),
    ]


_SIGNATURES = {
    "millrace_abi_version": (c_uint32, []),
    "millrace_version": (c_char_p, []),
    "millrace_launched_rank": (c_int, [POINTER(c_uint32), POINTER(c_uint32)]),
    "millrace_open": (c_int, [POINTER(Options), POINTER(c_void_p)]),
    "millrace_count": (c_int, [c_void_p, POINTER(c_uint64), POINTER(c_uint64)]),
    "millrace_describe": (c_void_p, [c_void_p]),
    "millrace_next": (c_int, [c_void_p, c_double, POINTER(BatchPointer)]),
    "millrace_release": (None, [BatchPointer]),
    "millrace_set_position": (c_int, [c_void_p, c_uint32, c_uint64]),
    "millrace_state": (c_void_p, [c_void_p]),
    "millrace_restore": (c_int, [c_void_p, c_char_p]),
    "millrace_stats": (c_void_p, [c_void_p]),
    "millrace_failures": (c_void_p, [c_void_p, c_size_t]),
    "millrace_last_error": (c_char_p, []),
    "millrace_close": (None, [c_void_p]),
    "millrace_free": (None, [c_void_p]),
    "millrace_read_on": (c_int, [BatchPointer, c_void_p]),
    "millrace_to_host": (c_int, [BatchPointer, c_void_p, c_void_p, c_size_t]),
    "millrace_dlpack": (c_void_p, [BatchPointer, c_size_t, c_int64]),
    "millrace_job_start": (c_int, [POINTER(JobOptions), POINTER(c_void_p)]),
    "millrace_job_next_event": (c_int, [c_void_p, c_double, POINTER(c_void_p)]),
    "millrace_job_stop": (c_int, [c_void_p]),
    "millrace_job_result": (c_int, [c_void_p, POINTER(c_void_p)]),
    "millrace_job_close": (None, [c_void_p]),
}


def path() -> str:
    """Return MILLRACE_LIBRARY, or the library in the package, or the system's."""
    chosen = os.environ.get("MILLRACE_LIBRARY")
    if chosen:
        return chosen
    inside = Path(__file__).with_name("libmillrace.so")
    return str(inside) if inside.exists() else _SONAME


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """Return the loaded library.

    Raises ImportError if it is missing or its interface is too old.
    """
    chosen = path()
    try:
        loaded = ctypes.CDLL(chosen)
    except OSError as error:
        raise ImportError(
            f"{chosen} cannot be loaded ({error}); install the wheel of millrace, or set the"
            " environment variable MILLRACE_LIBRARY to the library"
        ) from None
    abi = loaded.millrace_abi_version()
    if abi < ABI:
        raise ImportError(
            f"{chosen} has interface {abi}, but this package needs {ABI}: install both in the same version"
        )
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, name, None)
        if function is None:
            raise ImportError(f"{chosen} has no {name}: install library and package in the same version")
        function.restype = result
        function.argtypes = arguments
    return loaded


def engine_version() -> str:
    """Return the engine's version, such as "0.1.0"."""
    return library().millrace_version().decode()


def launched_rank() -> tuple[int, int]:
    """Return (rank, world) as mpirun, srun or torchrun set them, else (0, 1)."""
    rank, world = c_uint32(), c_uint32()
    check(library().millrace_launched_rank(ctypes.byref(rank), ctypes.byref(world)))
    return rank.value, world.value


def last_error(status: int) -> Exception:
    """Return the exception for the last call of this thread, which failed with `status`."""
    text = library().millrace_last_error().decode("utf-8", "replace")
    return _ERRORS.get(status, Error)(text)


def check(status: int) -> None:
    """Raise the exception of a failed status."""
    if status < 0:
        raise last_error(status)


def taken_json(text: int | None) -> Any:
    """Parse and free the JSON that a function returned; raise if it failed."""
    if not text:
        raise last_error(-4)
    try:
        return json.loads(ctypes.string_at(text))
    finally:
        library().millrace_free(text)
