# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A field of a batch that lies on a GPU."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _dlpack, _library

if TYPE_CHECKING:
    import numpy as np

    from ._batch import Slot

_CPU, _CUDA = 1, 2
# The protocol's numbers for the legacy default stream, and for a consumer that orders work itself.
_DEFAULT_STREAM, _NO_STREAM = 1, -1


class DeviceArray:
    """A field of a batch, or one row of it, in a GPU's memory, for consumers of DLPack.

    `torch.from_dlpack(array)`, `cupy.from_dlpack(array)` and `jax.dlpack.from_dlpack(array)` make
    their own arrays of it without a copy. The data is complete, so a consumer's stream need not
    wait. The engine reuses the memory only when the last of these arrays is gone and the work that
    was on the consumer's stream by then is done. The consumer must wait for work on other streams.
    """

    __slots__ = ("_address", "_field", "_row", "_slot", "_typestr", "device", "nbytes", "shape")

    shape: tuple[int, ...]
    """(rows, ...), or the shape of the row."""
    nbytes: int
    """Bytes in it."""
    device: tuple[int, int]
    """The device in DLPack's terms: (2, number) for a GPU."""

    def __init__(
        self, slot: Slot, field: int, row: int, address: int | None, shape: tuple[int, ...], typestr: str
    ) -> None:
        raw = slot.pointer.contents
        self._slot = slot
        self._field, self._row = field, row
        self._address = address
        self._typestr = typestr
        self.shape = shape
        self.nbytes = math.prod(shape) * int(typestr[2:])
        self.device = (raw.device_type, raw.device_id)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a capsule, following the DLPack protocol.

        Args:
            stream: the consumer's stream: a cudaStream_t as a number; 1 or None: the legacy default
                stream; 2: the thread's default stream; -1: no synchronisation needed.
            max_version: of DLPack; the capsule is the same for all versions.
            dl_device: the wanted device: this one, or (1, 0) for a copy in host memory.
            copy: True is refused.

        Raises:
            BufferError: another device or a copy was requested.
            ValueError: stream 0, which the protocol forbids.
        """
        if dl_device is not None and tuple(dl_device) != self.device:
            if tuple(dl_device) != (_CPU, 0) or copy is False:
                raise BufferError(f"the batch lies on the device {self.device}, not on {dl_device}")
            return self.numpy().__dlpack__()
        if copy:
            raise BufferError("this is the engine's own memory; take the array without a copy, then copy it")
        if stream == 0:
            raise ValueError("stream 0 is ambiguous: pass 1 (legacy default stream) or 2 (the thread's)")
        if stream is None and self.device[0] == _CUDA:
            stream = _DEFAULT_STREAM
        if stream is not None and stream != _NO_STREAM:
            self._slot.read_on(stream)
        return _dlpack.capsule(self._slot.tensor(self._field, self._row))

    def numpy(self) -> np.ndarray[Any, Any]:
        """Return a copy in host memory, and wait for it; bf16 as uint16, the bits."""
        import numpy as np

        made = np.empty(self.shape, self._typestr)
        self._slot.copy(made.ctypes.data, self._address, self.nbytes)
        return made

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} on {self.device}>"
