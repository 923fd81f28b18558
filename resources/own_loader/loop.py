# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The measured loop over the user's loader."""
import time

from millrace_own_loader.samples import counted, counter_for, described, path_to_list
from millrace_own_loader.subject import by_index, kind_of, versions, workers_of

EVERY_NS = 10_000_000  # between two lines about batches
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


def first_item(lines, item, settings, thing, single):
    """Tells what a batch is; the function that counts the samples of the others."""
    fixed = settings["samples"]
    rule = "as given" if fixed else ""
    if not fixed and single:
        fixed, rule = 1, "each item is a sample"
    size = getattr(thing, "batch_size", None)
    path = None
    if not fixed and isinstance(size, int) and size > 0 and counted(item) != size:
        path = path_to_list(item, size)
    count = counter_for(item, fixed, path)
    lines.tell("first", item=described(item), samples=count(item), rule=rule)
    return count


def iterate(lines, settings, thing, maker):
    what, single, indexed = kind_of(thing)
    lines.tell("ready", what=what, versions=versions(), workers=workers_of(thing))
    clock = time.perf_counter_ns
    step = Step(int(settings["step"] * 1e9)) if settings["step"] > 0 else None
    count = None
    batches = samples = waited = stepped = due = 0
    waits = []
    last = clock()
    while True:
        before = batches
        loop = by_index(thing) if indexed else iter(thing)
        once = loop is thing
        for item in loop:
            now = clock()
            if count is None:
                count = first_item(lines, item, settings, thing, single)
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
