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
# How the protocol calls the legacy default stream, and that the consumer sees to the order itself.
_DEFAULT_STREAM, _NO_STREAM = 1, -1


class DeviceArray:
    """A field of a batch, or one row of it, in a GPU's memory, for whatever takes DLPack.

    `torch.from_dlpack(array)`, `cupy.from_dlpack(array)` and `jax.dlpack.from_dlpack(array)` make
    their own arrays of it without a copy. It is there already: a consumer's stream waits for
    nothing. The engine waits with that memory until the last of these arrays is gone and what the
    consumer's stream had to do by then is done; work on other streams is the consumer's to wait for.
    """

    __slots__ = ("_address", "_field", "_row", "_slot", "_typestr", "device", "nbytes", "shape")

    shape: tuple[int, ...]
    """(rows, ...), or the shape of the row."""
    nbytes: int
    """Bytes in it."""
    device: tuple[int, int]
    """What DLPack calls the device: (2, number) for a GPU."""

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
        """Return a capsule, as the protocol has it.

        Args:
            stream: the consumer's: a cudaStream_t as a number, 1 or None the legacy default stream,
                2 that of the thread, -1 none that need be waited for.
            max_version: of DLPack. What is given is the same in all of them.
            dl_device: where it is to be: here, or (1, 0), which is a copy in host memory.
            copy: True is refused, the copy would be the engine's.

        Raises:
            BufferError: another device, or a copy.
            ValueError: stream 0, which the protocol forbids.
        """
        if dl_device is not None and tuple(dl_device) != self.device:
            if tuple(dl_device) != (_CPU, 0) or copy is False:
                raise BufferError(f"the batch lies on the device {self.device}, not on {dl_device}")
            return self.numpy().__dlpack__()
        if copy:
            raise BufferError("this is the engine's own memory; copy what you make of it")
        if stream == 0:
            raise ValueError("stream 0 may be either default stream: give 1 (legacy) or 2 (of the thread)")
        if stream is None and self.device[0] == _CUDA:
            stream = _DEFAULT_STREAM
        if stream is not None and stream != _NO_STREAM:
            self._slot.read_on(stream)
        return _dlpack.capsule(self._slot.tensor(self._field, self._row))

    def numpy(self) -> np.ndarray[Any, Any]:
        """Return a copy in host memory; bf16 as uint16, the bits. Waits for it."""
        import numpy as np

        made = np.empty(self.shape, self._typestr)
        self._slot.copy(made.ctypes.data, self._address, self.nbytes)
        return made

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} on {self.device}>"
