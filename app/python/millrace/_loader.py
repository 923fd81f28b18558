# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The loader."""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _library
from ._batch import Batch, Slot
from ._errors import Failure, HeldBatchesWarning, PipelineError, UseError

if TYPE_CHECKING:
    Path = Union[str, "os.PathLike[str]"]

# Longest wait inside the engine; Ctrl+C is handled in between.
_SLICE_SECONDS = 0.1
# The number of failures that the engine lists.
_NAMED_FAILURES = 1000
# Number of waits for held batches before a warning.
_SLICES_BEFORE_WARNING = 20

_open_loaders: weakref.WeakSet[Loader] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for loader in list(_open_loaders):
        loader.close()


def _texts(values: Sequence[bytes]) -> Any:
    return (ctypes.c_char_p * len(values))(*values) if values else None


def _setting(name: str, value: Any) -> bytes:
    """Return NODE.PARAM=VALUE in the form of `--set`."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, (list, tuple)):
        value = ",".join(str(part) for part in value)
    return os.fsencode(f"{name}={value}")


def _set_record(
    options: _library.Options,
    store: bool | Path | None,
    experiment: str | None,
    name: str | None,
) -> None:
    if store is None or store is False:
        return
    options.record = b"" if store is True else os.fsencode(store)
    options.record_experiment = None if experiment is None else experiment.encode()
    options.record_name = None if name is None else name.encode()


class Loader:
    """Batches of a Millrace pipeline, epoch after epoch, made by the engine's own threads.

    Iterating returns the batches of one epoch; the next `for` returns the next epoch, which the
    engine has already begun. Leaving a `for` early drops the rest of that epoch. Only one thread may
    iterate at a time; a newer iteration ends an older one.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict.
        data: a path, or paths, to read instead of the source's own.
        overrides: settings by "NODE.PARAM", such as {"workers.count": 8}.
        seed: replaces the pipeline's. The same seed gives the same batches, bit for bit, for any
            number of workers.
        shard: (rank, world): this process's part of the data. "auto": as mpirun, srun or torchrun
            started this process, and all of the data if none of them did.
        base: the folder for relative paths of the pipeline; by default its own.
        held: batches that may be referenced at the same time without slowing the engine down. A
            `for` briefly holds two: the last one and the new one. Keeping more takes memory from the
            engine, until it has none left and waits.
        max_failures: samples that may fail, a number or a share such as "2.5%"; by default 1 %.
        no_random: use the centre of each random range and the source's order, to compare pixels.
        on_failure: called with a Failure for each failed sample, between two batches.
        store: keep the training as a run while it goes on, in your own store (True) or in a file.
            `millrace runs show last` and the workbench show it meanwhile, with the share of the
            time that the training's steps took. If the program is killed, everything written so far
            is kept. Each process keeps a separate run.
        experiment: the group of the run; "default" by default.
        name: the name of the run.
        device: the memory of batches. "cuda:0" (or "cuda"): that GPU, as DeviceArrays, moved there
            by the pipeline's transfer node, or by one added before its consumer, which `warnings`
            reports. "pinned": NumPy arrays that a GPU can copy from asynchronously; announce the
            stream with Batch.read_on. None or "cpu": NumPy arrays in normal memory. A process forked
            from one that has looked for a GPU cannot use it: start it with `spawn`.

    Raises:
        PipelineError: the pipeline, its data, a setting, the store or the device is wrong; the text
            lists every problem.
        ImportError: the engine's library is missing.
    """

    def __init__(
        self,
        pipeline: Path | Mapping[str, Any],
        *,
        data: Path | Sequence[Path] | None = None,
        overrides: Mapping[str, Any] | None = None,
        seed: int | None = None,
        shard: tuple[int, int] | Literal["auto"] | None = None,
        base: Path | None = None,
        held: int = 2,
        max_failures: int | str | None = None,
        no_random: bool = False,
        on_failure: Callable[[Failure], None] | None = None,
        store: bool | Path | None = None,
        experiment: str | None = None,
        name: str | None = None,
        device: str | None = None,
    ) -> None:
        options = _library.Options()
        if isinstance(pipeline, Mapping):
            options.text = json.dumps(pipeline).encode()
        elif isinstance(pipeline, str) and pipeline.lstrip().startswith("{"):
            raise PipelineError("a pipeline is a file name or a dict: convert JSON text with json.loads")
        else:
            options.pipeline = os.fsencode(pipeline)
        _set_record(options, store, experiment, name)
        options.device = None if device is None else device.encode()
        self._open(options, data, overrides, seed, shard, base, held, max_failures, no_random, on_failure)

    @classmethod
    def from_run(
        cls,
        store: Path | None,
        run: int | str,
        *,
        data: Path | Sequence[Path] | None = None,
        overrides: Mapping[str, Any] | None = None,
        seed: int | None = None,
        shard: tuple[int, int] | Literal["auto"] | None = None,
        held: int = 2,
        max_failures: int | str | None = None,
        on_failure: Callable[[Failure], None] | None = None,
        keep: bool | Path | None = None,
        experiment: str | None = None,
        name: str | None = None,
        device: str | None = None,
    ) -> Loader:
        """Open the pipeline of a kept run, with the settings that it ran with.

        Args:
            store: the file of the store; None: your own store.
            run: the run's number, the beginning of its id, or "last".
            keep: the same as `store` of Loader: keep this training as a run.

        The other arguments are those of Loader.

        Raises:
            PipelineError: there is no such store or run, or the pipeline does not run here.
        """
        options = _library.Options()
        _set_record(options, keep, experiment, name)
        options.device = None if device is None else device.encode()
        options.run = str(run).encode()
        if store is not None:
            options.store = os.fsencode(store)
        loader = cls.__new__(cls)
        loader._open(options, data, overrides, seed, shard, None, held, max_failures, False, on_failure)
        return loader

    def _open(
        self,
        options: _library.Options,
        data: Any,
        overrides: Mapping[str, Any] | None,
        seed: int | None,
        shard: tuple[int, int] | Literal["auto"] | None,
        base: Any,
        held: int,
        max_failures: int | str | None,
        no_random: bool,
        on_failure: Callable[[Failure], None] | None,
    ) -> None:
        self._handle: int | None = None
        self._iteration: _Epoch | None = None
        self._at_begin = True
        self._epoch = 0
        self._on_failure = on_failure
        self._failures_told = 0
        paths = [] if data is None else [data] if isinstance(data, (str, os.PathLike)) else list(data)
        settings = [_setting(name, value) for name, value in (overrides or {}).items()]
        options.abi = _library.ABI
        options.data = _texts([os.fsencode(path) for path in paths])
        options.data_count = len(paths)
        options.settings = _texts(settings)
        options.settings_count = len(settings)
        if base is not None:
            options.base = os.fsencode(base)
        if seed is not None:
            options.seed = ctypes.pointer(ctypes.c_uint64(seed))
        if shard == "auto":
            shard = _library.launched_rank()
        if shard is not None:
            options.rank, options.world = shard
        options.held = held
        options.no_random = int(no_random)
        if max_failures is not None:
            options.max_failures = str(max_failures).encode()
        handle = ctypes.c_void_p()
        _library.check(_library.library().millrace_open(ctypes.byref(options), ctypes.byref(handle)))
        self._handle = handle.value
        self._about = _library.taken_json(_library.library().millrace_describe(self._handle))
        self._on_device = self.device.startswith("cuda")
        _open_loaders.add(self)

    # Iterating.

    def __len__(self) -> int:
        """Return the number of batches in an epoch.

        If a large container without an index has not been scanned completely, this waits for the scan.
        """
        return self._counted("batches")

    def _counted(self, name: str) -> int:
        """Return `batches` or `samples` of an epoch, which may be unknown at first."""
        if self._about[name] is None:
            batches, samples = ctypes.c_uint64(), ctypes.c_uint64()
            _library.check(_library.library().millrace_count(
                self._opened(), ctypes.byref(batches), ctypes.byref(samples)))
            self._about.update(batches=batches.value, samples=samples.value)
        return self._about[name]

    def __iter__(self) -> Iterator[Batch]:
        """Begin an epoch: the one that was set or restored, otherwise the next one."""
        handle = self._opened()
        if not self._at_begin:
            _library.check(_library.library().millrace_set_position(handle, self._epoch + 1, 0))
            self._at_begin = True
        self._iteration = _Epoch(self)
        return self._iteration

    def set_epoch(self, epoch: int, batch: int = 0) -> None:
        """Choose the epoch of the next iteration and the batch with which it begins, both from 0.

        Costs nothing if that batch comes next anyway; otherwise batches in progress are dropped. The
        samples of skipped batches are not read.
        """
        _library.check(_library.library().millrace_set_position(self._opened(), epoch, batch))
        self._iteration = None
        self._at_begin = True

    def _next(self) -> Batch | None:
        """Return the next batch, or None at the epoch's end."""
        library = _library.library()
        slot = Slot()
        waited = 0
        while True:
            status = library.millrace_next(self._opened(), _SLICE_SECONDS, ctypes.byref(slot.pointer))
            if status == _library.OK:
                batch = Batch(slot, self._on_device)
                self._epoch = batch.epoch
                self._at_begin = False
                if batch.failed > self._failures_told:
                    self._tell_failures()
                return batch
            if status == _library.HELD:
                waited += 1
                self._wait_for_arrays(waited)
            elif status != _library.TIMEOUT:
                self._tell_failures()
                _library.check(status)
                self._at_begin = True
                return None

    @staticmethod
    def _wait_for_arrays(waited: int) -> None:
        """Free batches in reference cycles by a collection; warn about those that are still referenced."""
        if waited == 1:
            gc.collect()
        if waited == _SLICES_BEFORE_WARNING:
            warnings.warn(
                "the loader is waiting because arrays of earlier batches are still referenced and use"
                " all of its memory: drop some, or copy what you keep (a larger held= makes room"
                " for more batches)",
                HeldBatchesWarning,
                stacklevel=4,
            )

    def _tell_failures(self) -> None:
        if self._on_failure is None or self._failures_told >= _NAMED_FAILURES:
            return
        answer = _library.library().millrace_failures(self._opened(), self._failures_told)
        for entry in _library.taken_json(answer)["failures"]:
            self._failures_told += 1
            self._on_failure(Failure(entry["sample"], entry["reason"]))

    # Facts and figures.

    def stats(self) -> dict[str, Any]:
        """Return the engine's figures since the loader began, with the keys of `millrace run --json`.

        A step is the program's work between two batches, so `step_share`, `step_seconds` and
        `wait_seconds` are those of the real training.
        """
        return _library.taken_json(_library.library().millrace_stats(self._opened()))

    @property
    def run(self) -> int | None:
        """The number of the run that `store=` keeps, from the first batch on; otherwise None."""
        kept = self.stats().get("run_id")
        return None if kept is None else int(kept)

    @property
    def failures(self) -> list[Failure]:
        """The first 1000 failed samples."""
        answer = _library.taken_json(_library.library().millrace_failures(self._opened(), 0))
        return [Failure(entry["sample"], entry["reason"]) for entry in answer["failures"]]

    @property
    def batch_size(self) -> int:
        """Rows of a full batch."""
        return self._about["batch_size"]

    @property
    def device(self) -> str:
        """The memory of batches: "cpu", "pinned", or a GPU such as "cuda:0"."""
        return self._about["device"]

    @property
    def samples(self) -> int:
        """Samples in an epoch."""
        return self._counted("samples")

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields of a batch: name, dtype, shape (None if unknown), layout, role, classes."""
        return self._about["fields"]

    @property
    def classes(self) -> list[str]:
        """Names of the classes, if the data has any."""
        return self._about["classes"]

    @property
    def warnings(self) -> list[str]:
        """The warnings of the pipeline's check."""
        return self._about["warnings"]

    @property
    def pipeline(self) -> dict[str, Any]:
        """The running pipeline's document, with overrides applied."""
        return json.loads(self._about["pipeline"])

    # Resuming.

    def state_dict(self) -> dict[str, Any]:
        """Return the state with which load_state_dict continues after the last batch returned.

        It consists of plain dicts, lists, texts and numbers, for torch.save, json or pickle.
        """
        return _library.taken_json(_library.library().millrace_state(self._opened()))

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where the state was taken; the next iteration returns the rest of that epoch.

        The batches are the same, bit for bit, for any number of workers and any place of the data.
        The number of processes and the batch size may differ, if no order node follows the shard
        node: the state of any process counts the samples that all have delivered, each the same
        number of batches, and the processes that load it share the rest of the epoch.

        Raises:
            StateError: it is damaged, or of another pipeline or data set; the text says what differs.
        """
        try:
            text = json.dumps(state).encode()
        except (TypeError, ValueError) as error:
            text = json.dumps(str(error)).encode()
        _library.check(_library.library().millrace_restore(self._opened(), text))
        self._iteration = None
        self._at_begin = True

    # Ending.

    def close(self) -> None:
        """End the engine's threads. Arrays that are still referenced stay readable."""
        handle, self._handle = getattr(self, "_handle", None), None
        if handle is not None:
            _library.library().millrace_close(handle)

    def __enter__(self) -> Loader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(
            "a Loader cannot be sent to another process, because its threads and memory are in this"
            " one; open one there, with shard=(rank, world)"
        )

    def __repr__(self) -> str:
        if self._handle is None:
            return "<Loader, closed>"
        batches = self._about["batches"]
        count = "batches" if batches is None else f"{batches} batches"
        return f"<Loader of {count} of {self.batch_size} per epoch>"

    def _opened(self) -> int:
        if self._handle is None:
            raise UseError("the loader is closed")
        return self._handle


class _Epoch(Iterator[Batch]):
    """One iteration over a loader."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._ended = False

    def __next__(self) -> Batch:
        if self._ended:
            raise StopIteration
        if self._loader._iteration is not self:
            raise UseError(
                "this iteration was ended by a newer iteration, set_epoch or load_state_dict;"
                " begin a new one"
            )
        batch = self._loader._next()
        if batch is None:
            self._ended = True
            raise StopIteration
        return batch
