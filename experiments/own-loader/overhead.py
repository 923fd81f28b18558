# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What the loop of `millrace loader` costs for each batch, against `for batch in loader: pass`.

    python3 experiments/own-loader/overhead.py

CPU time of this process, the least of 15 alternating passes each, so that other programs matter
little. A batch is a list of two objects with a shape, as of a DataLoader.
"""
import os
import pathlib
import sys
import time
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
package = types.ModuleType("millrace_own_python")
package.__path__ = [str(ROOT / "resources" / "own_python")]
sys.modules["millrace_own_python"] = package

from millrace_own_python import loop  # noqa: E402
from millrace_own_python.lines import Lines  # noqa: E402

BATCHES = 50_000
PASSES = 15


class Array:
    def __init__(self):
        self.shape = (32, 3, 224, 224)
        self.dtype = "float32"


def loader():
    batch = [Array(), Array()]
    for _ in range(BATCHES):
        yield batch


def bare():
    for _ in loader():
        pass


def harness():
    loop.iterate(Lines(NOWHERE), {"samples": 0, "step": 0}, loader(), None)


def every_line():
    usual, loop.EVERY_NS = loop.EVERY_NS, 0
    harness()
    loop.EVERY_NS = usual


def seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


NOWHERE = os.open(os.devnull, os.O_WRONLY)
least = {bare: float("inf"), harness: float("inf"), every_line: float("inf")}
for _ in range(PASSES):
    for function in least:
        least[function] = min(least[function], seconds(function))
added = 1e6 * (least[harness] - least[bare]) / BATCHES
line = 1e6 * (least[every_line] - least[harness]) / BATCHES
print("the harness adds %.2f us to each batch, and %.2f us for a line each 10 ms" % (added, line))
for milliseconds in (0.05, 0.1, 1, 10, 100):
    lines = line * min(1, milliseconds / 10)
    print("%5g ms a batch: %.3f %% longer" % (milliseconds, (added + lines) / milliseconds / 10))
