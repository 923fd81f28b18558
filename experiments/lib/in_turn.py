# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Two loaders measured in turn, and the ratio of their rates."""
import math
import os
import statistics
import time

WORKERS = os.cpu_count() or 1
# Student's t for 95 %, by the number of pairs less one.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}


def forever(loader):
    """One epoch after another."""
    while True:
        yield from loader


def rate(loader, seconds, rows):
    """Samples per second over at least `seconds`, after a few batches of every worker. `rows`
    is a function: the number of samples of a batch."""
    done, begin = 0, math.nan
    for number, batch in enumerate(forever(loader)):
        if number == 4 * WORKERS:
            begin, done = time.perf_counter(), 0
            continue
        done += rows(batch)
        if time.perf_counter() - begin > seconds:
            break
    return done / (time.perf_counter() - begin)


def ratio(ours, theirs):
    """The ratio of rates that were measured in pairs, as text with its 95 % interval."""
    logs = [math.log(a / b) for a, b in zip(ours, theirs)]
    middle = statistics.mean(logs)
    student = STUDENT.get(len(logs) - 1, 2.26 if len(logs) > 10 else math.nan)
    spread = student * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.nan
    return "%.2f [%.2f, %.2f]" % (
        math.exp(middle), math.exp(middle - spread), math.exp(middle + spread))


def compared(name, ours, theirs):
    """A line with both rates and their ratio."""
    return "%-16s millrace %6.0f samples/s, torchvision %6.0f, ratio %s" % (
        name, statistics.mean(ours), statistics.mean(theirs), ratio(ours, theirs))
