# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Batches as PyTorch tensors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from ._batch import Batch
from ._device import DeviceArray
from ._errors import PipelineError
from ._loader import Loader


def tensors(batch: Batch) -> dict[str, Any]:
    """Return the fields of a batch as tensors over the same memory; no copy is made.

    A field of shape (rows, ...) is a tensor of that shape and of the field's element type, bf16 as
    torch.bfloat16. A field whose rows differ in size is a list of tensors, one for each row; encoded
    files are such lists of uint8. The memory stays valid until its last tensor is gone. On a GPU it
    is reused only after the work that the currently selected stream has by then; wait for work on
    other streams before dropping the tensors.

    Raises:
        TypeError: u16, which PyTorch before 2.3 does not have.
    """
    return {name: _tensor(value, batch.types[name]) for name, value in batch.items()}


def _tensor(value: Any, dtype: str) -> Any:
    if isinstance(value, list):
        return [_tensor(row, dtype) for row in value]
    if isinstance(value, DeviceArray):
        return torch.from_dlpack(value)
    if dtype == "bf16":
        return torch.from_numpy(value.view("<i2")).view(torch.bfloat16)
    return torch.from_numpy(value)


def _on_device(pipeline: Any, device: torch.device, options: dict[str, Any]) -> Loader:
    """Return a loader with batches on the GPU, or else one whose batches PyTorch copies there."""
    number = torch.cuda.current_device() if device.index is None else device.index
    try:
        return Loader(pipeline, device=f"cuda:{number}", **options)
    except PipelineError as error:
        refused = error
    loader = Loader(pipeline, **options)
    warnings.warn(
        f"the engine cannot use the GPU, so PyTorch copies the batches there: {refused}", stacklevel=3
    )
    return loader


class Dataset:
    """The data set properties that training scripts use; it does not return single samples."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __len__(self) -> int:
        """Return the number of samples in an epoch."""
        return self._loader.samples

    @property
    def classes(self) -> list[str]:
        """Names of the classes, if the data has any."""
        return self._loader.classes


class DataLoader:
    """A replacement for torch.utils.data.DataLoader in training scripts.

    Iterating returns one epoch of dicts of tensors, as made by `tensors`. `len` is the number of
    batches in an epoch, `len(loader.dataset)` that of its samples. `set_epoch` works as in PyTorch's
    samplers, `state_dict` and `load_state_dict` as in torchdata's StatefulDataLoader.

    Args:
        pipeline: a millrace.Loader, or its first argument.
        device: the device of the tensors. None: they are the engine's memory. On a GPU they are the
            engine's memory, too, if the engine can use that GPU; otherwise PyTorch copies them there
            and a warning says why.
        pin_memory: let PyTorch copy tensors in host memory to pinned memory first, so that the
            transfer to a device is asynchronous.
        options: arguments of millrace.Loader.

    Raises:
        TypeError: options were given for an open Loader.
        millrace.PipelineError: as millrace.Loader.
        millrace.RunError: while iterating, if more samples fail than allowed.
    """

    def __init__(
        self,
        pipeline: Any,
        *,
        device: torch.device | str | None = None,
        pin_memory: bool = False,
        **options: Any,
    ) -> None:
        if isinstance(pipeline, Loader) and options:
            raise TypeError(f"an open Loader accepts no options: {', '.join(options)}")
        self.device = None if device is None else torch.device(device)
        self.pin_memory = pin_memory
        if isinstance(pipeline, Loader):
            self.loader = pipeline
        elif self.device is not None and self.device.type == "cuda":
            self.loader = _on_device(pipeline, self.device, options)
        else:
            self.loader = Loader(pipeline, **options)

    def __len__(self) -> int:
        return len(self.loader)

    @property
    def batch_size(self) -> int:
        """Rows of a full batch."""
        return self.loader.batch_size

    @property
    def dataset(self) -> Dataset:
        """The data set's length and the names of its classes."""
        return Dataset(self.loader)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        copies = self.pin_memory and self.device is not None and self.device.type == "cuda"
        for batch in self.loader:
            # PyTorch uses memory that the engine has pinned without copying it, and reads it later.
            if copies:
                batch.read_on(torch.cuda.current_stream(self.device).cuda_stream or 1)
            yield {name: self._placed(value) for name, value in tensors(batch).items()}

    def _placed(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._placed(row) for row in value]
        if self.pin_memory and value.device.type == "cpu":
            value = value.pin_memory()
        if self.device is not None:
            value = value.to(self.device, non_blocking=self.pin_memory)
        return value

    def set_epoch(self, epoch: int, batch: int = 0) -> None:
        """Choose the epoch of the next iteration and the batch with which it begins, both from 0."""
        self.loader.set_epoch(epoch, batch)

    def state_dict(self) -> dict[str, Any]:
        """Return the state for load_state_dict."""
        return self.loader.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where the state was taken. Raises millrace.StateError."""
        self.loader.load_state_dict(state)

    def close(self) -> None:
        """End the engine's threads."""
        self.loader.close()

    def __enter__(self) -> DataLoader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
