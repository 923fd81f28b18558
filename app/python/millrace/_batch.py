# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A batch: NumPy arrays over a slot of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, List, Union

from . import _library

if TYPE_CHECKING:
    import numpy as np

    Value = Union["np.ndarray[Any, Any]", List["np.ndarray[Any, Any]"]]
    Fields = Mapping[str, Value]
else:
    Fields = Mapping

# bf16 is no type of NumPy's: its bits, as `millrace run --dump` writes them.
_TYPES = {
    b"u8": "|u1",
    b"i8": "|i1",
    b"u16": "<u2",
    b"i16": "<i2",
    b"i32": "<i4",
    b"i64": "<i8",
    b"f16": "<f2",
    b"bf16": "<u2",
    b"f32": "<f4",
    b"f64": "<f8",
    b"encoded": "|u1",
}


class Slot:
    """Holds a batch of the engine until the last array over it is gone.

    It is there before the batch is, so that a Ctrl+C in between loses no slot.
    """

    __slots__ = ("_release", "pointer")

    def __init__(self) -> None:
        self._release = _library.library().millrace_release
        self.pointer = _library.BatchPointer()

    def __del__(self) -> None:
        self._release(self.pointer)


class _Memory:
    """What an array's memory belongs to; NumPy keeps it as the array's base."""

    __slots__ = ("__array_interface__", "_slot")

    def __init__(self, slot: Slot, dtype: bytes, address: int | None, shape: tuple[int, ...]) -> None:
        self._slot = slot
        self.__array_interface__ = {
            "version": 3,
            "typestr": _TYPES[dtype],
            "shape": shape,
            "data": (address or 0, False),
        }


class Batch(Fields):
    """The fields of a batch by name, each a NumPy array of shape (rows, ...).

    No copy is made: an array is the engine's own memory, writable, and stays as it is for as long
    as it or anything made from it without a copy is referenced (a slice, `torch.from_numpy`, a
    DLPack capsule). The engine waits rather than use that memory again. A field whose rows differ
    in size is a list of arrays, one a row. bf16 comes as uint16, the bits.
    """

    __slots__ = ("_fields", "epoch", "failed", "index", "rows", "samples", "types")

    epoch: int
    """The epoch, from 0."""
    index: int
    """The batch's place in its epoch, from 0."""
    rows: int
    """Samples in it: fewer at an epoch's end, and where samples failed."""
    samples: list[int]
    """Each row's number in the data set."""
    types: dict[str, str]
    """Each field's element type as Millrace names it, such as "f32" or "bf16"."""

    def __init__(self, slot: Slot) -> None:
        import numpy as np

        raw = slot.pointer.contents
        self.epoch = raw.epoch
        self.index = raw.index
        self.rows = rows = raw.rows
        self.failed = raw.failed
        self.samples = raw.samples[:rows]
        self.types = {}
        self._fields: dict[str, Value] = {}
        for field in raw.fields[: raw.field_count]:
            name = field.name.decode("utf-8", "replace")
            dtype = field.dtype
            self.types[name] = dtype.decode()
            if field.rows:
                self._fields[name] = [
                    np.asarray(_Memory(slot, dtype, row.data, tuple(row.shape[: row.ndim])))
                    for row in field.rows[:rows]
                ]
            else:
                shape = tuple(field.shape[: field.ndim])
                self._fields[name] = np.asarray(_Memory(slot, dtype, field.data, shape))

    def __getitem__(self, name: str) -> Value:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{name}: {self.types[name]}"
            + (f" x {len(value)} rows" if isinstance(value, list) else f" {value.shape}")
            for name, value in self._fields.items()
        )
        return f"<Batch {self.index} of epoch {self.epoch}: {shapes}>"
