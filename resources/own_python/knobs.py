# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Other arguments for a user's DataLoader, or other settings of a tf.data pipeline, than those in the file."""
import difflib

import millrace_own_python
from millrace_own_python.subject import DATA_LOADER, KERAS, TF_DATA, kind_of
from millrace_own_python.trouble import Unusable


def whole(least):
    def parsed(text):
        if not text.isdigit() or int(text) < least:
            raise ValueError("a whole number from %d" % least)
        return int(text)
    return parsed


def switch(text):
    if text.lower() not in ("true", "false"):
        raise ValueError("true or false")
    return text.lower() == "true"


def one_of(*names):
    def parsed(text):
        if text not in names:
            raise ValueError("one of " + ", ".join(names))
        return text
    return parsed


def auto_or(least):
    def parsed(text):
        if text != "auto" and not (text.isdigit() and int(text) >= least):
            raise ValueError("`auto` or a whole number from %d" % least)
        return text
    return parsed


KNOBS = {"num_workers": whole(0), "prefetch_factor": whole(1), "persistent_workers": switch,
         "pin_memory": switch, "batch_size": whole(1), "worker_threads": whole(0),
         "start_method": one_of("fork", "spawn", "forkserver")}
TF_KNOBS = {"parallel_calls": auto_or(1), "prefetch": auto_or(1), "deterministic": switch,
            "threads": whole(1), "cache": switch}
KERAS_KNOBS = {"workers": whole(0), "use_multiprocessing": switch, "max_queue_size": whole(1)}


class WorkerThreads:
    """A worker_init_fn that sets the threads of OpenCV and torch in the worker, then calls the user's."""

    def __init__(self, before, count):
        self.before, self.count = before, count

    def __reduce__(self):
        # A worker that is spawned has no harness yet.
        space = {"parts": millrace_own_python.PARTS, "given": (self.before, self.count)}
        return eval, ("(exec(parts['importer']), part('knobs'))[1].WorkerThreads(*given)", space)

    def __call__(self, worker):
        import torch
        torch.set_num_threads(max(1, self.count))
        try:
            import cv2
            cv2.setNumThreads(self.count)
        except ImportError:
            pass
        if self.before is not None:
            self.before(worker)


def values_of(texts, knobs):
    values = {}
    for name, text in texts.items():
        if name not in knobs:
            like = difflib.get_close_matches(name, knobs, 1)
            raise Unusable("`%s` cannot be set%s; these can: %s" % (
                name, ": did you mean `%s`?" % like[0] if like else "", ", ".join(knobs)))
        try:
            values[name] = knobs[name](text)
        except ValueError as wrong:
            raise Unusable("`%s` must be %s, not `%s`" % (name, wrong, text)) from None
    return values


def set_batch_size(loader, size):
    from torch.utils.data import BatchSampler
    if type(loader.batch_sampler) is not BatchSampler:
        raise Unusable("`batch_size` cannot be set: the DataLoader has a batch_sampler of your own, or "
                       "makes no batches")
    loader.__dict__.update(batch_size=size, batch_sampler=BatchSampler(
        loader.sampler, size, loader.drop_last))


def set_start_method(loader, method):
    """Other methods than fork send the objects to the workers as pickles."""
    from multiprocessing.reduction import ForkingPickler
    if loader.num_workers == 0:
        raise Unusable("`start_method` needs workers, and `num_workers` is 0")
    parts = {"data set": loader.dataset, "collate_fn": loader.collate_fn, "worker_init_fn": loader.worker_init_fn}
    for name, part in parts.items() if method != "fork" else ():
        try:
            ForkingPickler.dumps(part)
        except Exception as error:
            raise Unusable("workers cannot be started by %s, because the %s cannot be pickled: %s"
                           % (method, name, error)) from None
    loader.multiprocessing_context = method


def turned(thing, texts):
    """The loader with these settings: a DataLoader or PyDataset itself, or another tf.data pipeline."""
    if not texts:
        return thing
    what, _, _ = kind_of(thing)
    if what == TF_DATA:
        from millrace_own_python.tf_graph import changed
        return changed(thing, values_of(texts, TF_KNOBS))
    if what == KERAS:
        for name, value in values_of(texts, KERAS_KNOBS).items():
            setattr(thing, name, value)
        return thing
    values = values_of(texts, KNOBS)
    if what != DATA_LOADER:
        raise Unusable("only the arguments of a PyTorch DataLoader or a Keras PyDataset and the settings of a "
                       "tf.data.Dataset can be set, and this is: %s" % what)
    turn(thing, values)
    return thing


def turn(thing, values):
    """Sets a DataLoader's arguments; its attributes are what its iterators are made from."""
    if getattr(thing, "_iterator", None) is not None:
        raise Unusable("its arguments cannot be set, because its persistent workers run already")
    if "batch_size" in values:
        set_batch_size(thing, values.pop("batch_size"))
    threads = values.pop("worker_threads", None)
    method = values.pop("start_method", None)
    thing.__dict__.update(values)  # its __setattr__ refuses some
    if thing.num_workers == 0:
        for name in ("prefetch_factor", "persistent_workers"):
            if values.get(name):
                raise Unusable("`%s` needs workers, and `num_workers` is 0" % name)
        thing.__dict__.update(prefetch_factor=None, persistent_workers=False)
    elif thing.prefetch_factor is None:
        thing.__dict__["prefetch_factor"] = 2  # as DataLoader does
    if method is not None:
        set_start_method(thing, method)
    if threads is not None:
        thing.worker_init_fn = WorkerThreads(thing.worker_init_fn, threads)
