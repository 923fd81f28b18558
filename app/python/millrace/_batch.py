# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A batch: arrays over a slot of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, List, Union

from . import _library
from ._device import DeviceArray

if TYPE_CHECKING:
    import numpy as np

    Array = Union["np.ndarray[Any, Any]", DeviceArray]
    Value = Union[Array, List[Array]]
    Fields = Mapping[str, Value]
else:
    Fields = Mapping

# NumPy has no bf16: its bits as uint16, as `millrace run --dump` writes them.
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
    """Holds a batch of the engine until its last array is gone.

    It is created before the batch is received, so that a Ctrl+C in between loses no slot.
    """

    __slots__ = ("_release", "pointer")

    def __init__(self) -> None:
        self._release = _library.library().millrace_release
        self.pointer = _library.BatchPointer()

    def read_on(self, stream: int) -> None:
        """Delay reuse of the memory until the work on `stream` at the release is done."""
        _library.check(_library.library().millrace_read_on(self.pointer, stream))

    def tensor(self, field: int, row: int) -> int:
        """Return the address of a DLManagedTensor that keeps the batch; row -1 is the whole field."""
        made = _library.library().millrace_dlpack(self.pointer, field, row)
        if not made:
            raise _library.last_error(-4)
        return made

    def copy(self, to: int, address: int | None, count: int) -> None:
        """Copy bytes of the batch into the host's memory."""
        _library.check(_library.library().millrace_to_host(self.pointer, to, address, count))

    def __del__(self) -> None:
        self._release(self.pointer)


class _Memory:
    """The owner of an array's memory; NumPy keeps it as the array's base."""

    __slots__ = ("__array_interface__", "_slot")

    def __init__(self, slot: Slot, typestr: str, address: int | None, shape: tuple[int, ...]) -> None:
        self._slot = slot
        self.__array_interface__ = {
            "version": 3,
            "typestr": typestr,
            "shape": shape,
            "data": (address or 0, False),
        }


def _host_array(
    slot: Slot, field: int, row: int, address: int | None, shape: tuple[int, ...], typestr: str
) -> np.ndarray[Any, Any]:
    import numpy as np

    if not address:  # a row without elements, such as the boxes of a picture without objects
        return np.empty(shape, typestr)
    return np.asarray(_Memory(slot, typestr, address, shape))


class Batch(Fields):
    """The fields of a batch by name, each a NumPy array of shape (rows, ...), or a DeviceArray.

    No copy is made: an array is the engine's own writable memory. It does not change as long as the
    array, or anything made from it without a copy, is referenced (a slice, `torch.from_numpy`, a
    DLPack capsule): the engine waits instead of reusing it. A field whose rows differ in size is a
    list of arrays, one for each row. bf16 is delivered as uint16, the bits. If the loader's device
    is a GPU, arrays are DeviceArrays, which DLPack turns into tensors.
    """

    __slots__ = ("_fields", "_slot", "epoch", "failed", "index", "rows", "samples", "types")

    epoch: int
    """The epoch, from 0."""
    index: int
    """The batch's index in its epoch, from 0."""
    rows: int
    """Number of samples: fewer at an epoch's end and if samples failed."""
    samples: list[int]
    """The number of each row's sample in the data set."""
    types: dict[str, str]
    """Each field's element type by Millrace's name, such as "f32" or "bf16"."""

    def __init__(self, slot: Slot, on_device: bool = False) -> None:
        made: Callable[..., Array] = DeviceArray if on_device else _host_array
        raw = slot.pointer.contents
        self._slot = slot
        self.epoch = raw.epoch
        self.index = raw.index
        self.rows = rows = raw.rows
        self.failed = raw.failed
        self.samples = raw.samples[:rows]
        self.types = {}
        self._fields: dict[str, Value] = {}
        for place, field in enumerate(raw.fields[: raw.field_count]):
            name = field.name.decode("utf-8", "replace")
            typestr = _TYPES[field.dtype]
            self.types[name] = field.dtype.decode()
            if field.rows:
                self._fields[name] = [
                    made(slot, place, number, row.data, tuple(row.shape[: row.ndim]), typestr)
                    for number, row in enumerate(field.rows[:rows])
                ]
            else:
                shape = tuple(field.shape[: field.ndim])
                self._fields[name] = made(slot, place, -1, field.data, shape, typestr)

    def padded(
        self, name: str, fill: float = 0
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return a field whose rows differ in size as one array, and the shape of each row.

        The array has the shape (rows, ...) of the batch's largest row in each dimension; what a row
        does not cover is `fill`. The shapes are int64, (rows, dimensions of a row). Both are copies.

        Raises:
            TypeError: the field is no list of arrays in host memory.
        """
        import numpy as np

        rows = self._fields[name]
        if not isinstance(rows, list) or not all(isinstance(row, np.ndarray) for row in rows):
            raise TypeError(f"`{name}` is no list of arrays in host memory")
        shapes = np.array([row.shape for row in rows], np.int64)
        whole = np.full((len(rows), *shapes.max(axis=0)), fill, rows[0].dtype)
        for into, row in zip(whole, rows):
            into[tuple(map(slice, row.shape))] = row
        return whole, shapes

    def read_on(self, stream: int) -> None:
        """Announce that work on a CUDA stream reads the batch's memory.

        The engine then reuses the memory only after the work that is on the stream when the batch's
        last array is gone. DLPack does this automatically for batches on a GPU; call it for
        asynchronous copies from pinned memory. `stream` is a cudaStream_t as a number; 1 is the
        legacy default stream. Does nothing for a batch in normal memory.
        """
        self._slot.read_on(stream)

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
