# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The measured loop over the user's loader."""
import time

from millrace_own_python import steps
from millrace_own_python.samples import counted, counter_for, described, is_sample, path_to_list
from millrace_own_python.subject import DATA_LOADER, KERAS, TF_DATA, about, by_index, kind_of, versions, workers_of

EVERY_NS = 10_000_000  # between two lines about batches
TIMES_EVERY_NS = 200_000_000  # between two lines about the steps inside the loader
WAITS = 64  # waits in one line: enough for a percentile, and cheap


class Step:
    """Sleeps as long as a training step would take, like the node emulated_step."""

    def __init__(self, nanoseconds):
        self.nominal = nanoseconds
        self.end = 0
        self.left = 0

    def take(self, arrival):
        clock = time.perf_counter_ns
        self.end = max(self.end + (arrival - self.left), arrival - self.nominal) + self.nominal
        while True:
            now = clock()
            if now >= self.end:
                break
            time.sleep((self.end - now) * 1e-9)
        self.left = now
        return now


class Queue:
    """Whether a batch lies ready before it is asked for, in the queue between a DataLoader's workers and the
    program. Other loaders have none."""

    def __init__(self):
        self.looks = self.empty = 0
        self.loop = None

    def follow(self, loop):
        """The iterator of an epoch; its names are PyTorch's own."""
        has = hasattr(getattr(loop, "_data_queue", None), "qsize") and hasattr(loop, "_task_info")
        self.loop = loop if has else None

    def look(self):
        loop = self.loop
        if loop is None:
            return
        try:
            # A batch that came before its turn has been taken from the queue already.
            there = loop._data_queue.qsize() > 0 or len(loop._task_info.get(loop._rcvd_idx, ())) > 1
        except (AttributeError, NotImplementedError, OSError):
            self.loop = None
            return
        self.looks += 1
        self.empty += not there


class Insides:
    """What happens inside the loader: the steps of a batch, and the starts of epochs."""

    def __init__(self, lines, reports):
        self.lines = lines
        self.reports = reports
        self.queue = Queue()
        self.starts = self.start_ns = 0  # of later epochs
        self.due = 0

    def names(self):
        known = self.reports.sum(0) if self.reports is not None else None
        return [name for name, _ in known["steps"]] if known else []

    def began(self, nanoseconds):
        self.starts += 1
        self.start_ns += nanoseconds

    def tell(self, now, batches):
        if now < self.due:
            return
        self.due = now + TIMES_EVERY_NS
        known = self.reports.sum(batches) if self.reports is not None else None
        if known or self.starts:
            self.lines.tell("times", starts=self.starts, start_ns=self.start_ns,
                            queue_looks=self.queue.looks, queue_empty=self.queue.empty,
                            **(known or {"timed": 0, "steps": []}))


def first_item(lines, item, settings, thing, single, insides):
    """Tells what a batch is; the function that counts the samples of the others."""
    fixed = settings["samples"]
    rule = "as given" if fixed else ""
    size = getattr(thing, "batch_size", None)
    if not fixed and (single or size is None and is_sample(item)):
        fixed, rule = 1, "each item is a sample"
    path = None
    if not fixed and isinstance(size, int) and size > 0 and counted(item) != size:
        path = path_to_list(item, size)
    count = counter_for(item, fixed, path)
    lines.tell("first", item=described(item), samples=count(item), rule=rule, steps=insides.names())
    return count


def unit_of(what, single):
    """What the loader's length counts."""
    return "sample" if single else "batch" if what in (DATA_LOADER, KERAS, TF_DATA) else "item"


def watched(thing, what):
    """What reports the steps inside; None if they cannot be seen."""
    if what == TF_DATA:
        from millrace_own_python.tf_graph import watch_stages
        return watch_stages(thing)
    return steps.watch_loader(thing) if what == DATA_LOADER else None


def epochs_of(thing, what, indexed):
    """A function that begins an epoch."""
    if what == KERAS:
        from millrace_own_python.keras_data import Epochs
        epochs = Epochs(thing)
        return lambda _: iter(epochs)
    return by_index if indexed else iter


def iterate(lines, settings, thing, maker):
    what, single, indexed = kind_of(thing)
    begin_epoch = epochs_of(thing, what, indexed)
    reports = watched(thing, what)  # before the measured span may begin
    lines.tell("ready", what=what, versions=versions(), workers=workers_of(thing),
               restarts=not getattr(thing, "persistent_workers", True),
               about=about(thing, unit_of(what, single)) if settings["about"] else [])
    insides = Insides(lines, reports)
    clock = time.perf_counter_ns
    step = Step(int(settings["step"] * 1e9)) if settings["step"] > 0 else None
    count = None
    batches = samples = waited = stepped = due = 0
    waits = []
    last = clock()
    while True:
        before = batches
        begin = clock()
        loop = begin_epoch(thing)
        once = loop is thing
        insides.queue.follow(loop)
        for item in loop:
            now = clock()
            if count is None:
                count = first_item(lines, item, settings, thing, single, insides)
            elif batches == before:
                insides.began(now - begin)
            batches += 1
            samples += count(item)
            wait = now - last
            waited += wait
            if len(waits) < WAITS:
                waits.append(wait)
            last = now
            if step is not None:
                last = step.take(now)
                stepped += last - now
            if last >= due:
                lines.write(line_of(now, batches, samples, waited, stepped, waits))
                waits = []
                due = last + EVERY_NS
                insides.tell(last, batches)
            insides.queue.look()
        insides.queue.follow(None)
        del loop  # before the next epoch begins, as in a training program
        if batches == before:
            lines.tell("empty", later=batches > 0)
            return
        if before == 0:
            lines.tell("epoch", batches=batches, samples=samples)
        if once and maker is None:
            break
        if once:
            thing = maker()  # a generator yields its items once
    lines.write(line_of(last, batches, samples, waited, stepped, waits))
    lines.tell("exhausted")


def line_of(*numbers):
    return '["b",%d,%d,%d,%d,%d,%s]' % numbers
