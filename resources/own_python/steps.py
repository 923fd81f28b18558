# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Where the time of a PyTorch DataLoader goes: the steps that make a batch, timed where they run.

A step's time does not include the steps that it calls. A batch whose steps are timed takes longer by
about 0.4 us for each call of a step, so only so many batches are timed that this is 1 % of the time of all.
"""
import os
import threading
import time

import millrace_own_python
from millrace_own_python.places import Attribute, Places
from millrace_own_python.reports import SLOT, Reports, Slot

TIMED_SHARE = 0.01  # of the time of all batches, for what timing costs
SWAP_FACTOR = 4  # a changed class is changed back, and both times the interpreter's caches are lost
REPORT_NS = 100_000_000  # between two reports of a process
COLLATE = "collate"


class Times:
    """Times of steps by name, without the steps that they call. Of one thread."""

    def __init__(self):
        self.steps = {}  # name: [calls, nanoseconds]
        self.inner = []  # of each running step, the time of those that it called
        self.thread = threading.get_ident()
        self.call_ns = self.cost_of_a_call()

    def timed(self, name, function):
        step = self.steps.setdefault(name, [0, 0])
        inner, thread = self.inner, self.thread
        clock, current = time.perf_counter_ns, threading.get_ident

        def call(*arguments, **keywords):
            if current() != thread:
                return function(*arguments, **keywords)
            inner.append(0)
            begin = clock()
            try:
                return function(*arguments, **keywords)
            finally:
                took = clock() - begin
                step[0] += 1
                step[1] += took - inner.pop()
                if inner:
                    inner[-1] += took

        return call

    def cost_of_a_call(self):
        probe = self.timed("", abs)
        begin = time.perf_counter_ns()
        for _ in range(200):
            probe(1)
        took = time.perf_counter_ns() - begin
        del self.steps[""]
        return took / 200

    def calls(self):
        return sum(calls for calls, _ in self.steps.values())


class Watch:
    """Times the fetches of this process."""

    def __init__(self, dataset, report):
        self.times = Times()
        self.places = Places(self.times, dataset)
        self.root = "%s, other code" % type(dataset).__name__
        self.report = report
        self.process = os.getpid()
        self.batches = self.total = self.timed = self.swapping = 0
        self.every = 1
        self.due = 0

    def fetch(self, original, fetcher, index):
        begin = time.perf_counter_ns()
        timed = self.batches % self.every == 0
        try:
            return self.fetch_timed(original, fetcher, index) if timed else original(fetcher, index)
        finally:
            now = time.perf_counter_ns()
            self.batches += 1
            self.total += now - begin
            if timed:
                self.timed += 1
                cost = (self.times.calls() * self.times.call_ns + SWAP_FACTOR * self.swapping) / self.timed
                self.every = max(1, int(cost * self.batches / (TIMED_SHARE * self.total)))
            if now >= self.due:
                self.due = now + REPORT_NS
                self.report(self.values())

    def fetch_timed(self, original, fetcher, index):
        self.places.add_known()
        begin = time.perf_counter_ns()
        places = self.places.swap()
        collate = Attribute(fetcher, "collate_fn", self.times.timed(COLLATE, fetcher.collate_fn))
        collate.swap()
        self.swapping += time.perf_counter_ns() - begin
        try:
            return self.times.timed(self.root, original)(fetcher, index)
        finally:
            collate.restore()
            for place in reversed(places):
                place.restore()

    def values(self):
        last = [COLLATE, self.root]
        names = [name for name, (calls, _) in self.times.steps.items()
                 if calls > 0 and name not in self.places.names + last]
        steps = [[name, self.times.steps.get(name, (0, 0))[1]]
                 for name in names + self.places.names + last]
        return {"process": self.process, "timed": self.timed, "root": self.root, "steps": steps}


def watch_fetches(watch):
    """In this process; the classes are PyTorch's own, which have had these names since 1.2."""
    from torch.utils.data._utils import fetch
    for kind in (fetch._MapDatasetFetcher, fetch._IterableDatasetFetcher):
        original = kind.fetch

        def timed(fetcher, index, original=original):
            return watch.fetch(original, fetcher, index)

        kind.fetch = timed


class InWorker:
    """The worker_init_fn of a DataLoader: begins to watch, then calls that of the user."""

    def __init__(self, before, board):
        self.before, self.board = before, board

    def __reduce__(self):
        # A worker that is spawned has no harness yet.
        space = {"parts": millrace_own_python.PARTS, "given": (self.before, self.board)}
        return eval, ("(exec(parts['importer']), part('steps'))[1].InWorker(*given)", space)

    def __call__(self, worker):
        try:
            from torch.utils.data import get_worker_info
            slot = Slot(self.board, worker)
            watch_fetches(Watch(get_worker_info().dataset, slot.write))
        except Exception:  # the batches matter more than their times
            pass
        if self.before is not None:
            self.before(worker)


def watch_loader(loader):
    """The reports of a DataLoader's processes; None if they cannot be watched."""
    if getattr(loader, "_iterator", None) is not None:
        return None  # persistent workers that run already
    reports = Reports()
    try:
        reports.latest = [None] * max(1, loader.num_workers)
        if loader.num_workers == 0:
            watch_fetches(Watch(loader.dataset, lambda values: reports.took(0, values)))
            return reports
        import multiprocessing
        context = loader.multiprocessing_context or multiprocessing.get_context()
        board = context.RawArray("B", SLOT * loader.num_workers)
        reports.slots = [Slot(board, i) for i in range(loader.num_workers)]
        loader.worker_init_fn = InWorker(loader.worker_init_fn, board)
        return reports
    except Exception:  # another version of PyTorch: only the whole is measured
        return None
