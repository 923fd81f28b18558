# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules for the library's tensors, made with ctypes."""

from __future__ import annotations

import ctypes
from ctypes import PYFUNCTYPE, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p, py_object
from typing import Any

_NAME = b"dltensor"  # a consumer renames it
_new = PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_is_valid = PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class ManagedTensor(ctypes.Structure):
    """DLManagedTensor, including the DLTensor at its beginning."""

    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", ctypes.POINTER(c_int64)),
        ("strides", ctypes.POINTER(c_int64)),
        ("byte_offset", c_uint64),
        ("manager_ctx", c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, c_void_p)),
    ]


def delete(tensor: int) -> None:
    """Release a tensor that was not consumed."""
    ManagedTensor.from_address(tensor).deleter(tensor)


@PYFUNCTYPE(None, c_void_p)
def _forgotten(capsule: int) -> None:
    """Destructor of a capsule. A consumed tensor has another name and belongs to the consumer."""
    if _is_valid(capsule, _NAME):
        delete(_pointer(capsule, _NAME))


# A capsule may outlive this module when the interpreter exits.
ctypes.pythonapi.Py_IncRef(py_object(_forgotten))
ctypes.pythonapi.Py_IncRef(py_object(_NAME))


def capsule(tensor: int) -> Any:
    """Return a capsule that owns the DLManagedTensor at this address."""
    return _new(tensor, _NAME, ctypes.cast(_forgotten, c_void_p))
