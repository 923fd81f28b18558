# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers that depend on the sample, and not on the process that draws them."""
import inspect
import random
import sys

import numpy


def takes_rng(function):
    try:
        return "rng" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


class Seeds:
    """A function with a parameter `rng` gets a numpy.random.Generator. For any other, the generators of
    random, numpy and torch are seeded, and that of an object with `set_random_seed`."""

    def __init__(self, function):
        self.generator = None
        if takes_rng(function):
            self.bits = numpy.random.Philox(0)
            self.state = self.bits.state
            self.generator = numpy.random.Generator(self.bits)
        self.own = getattr(function, "set_random_seed", None)

    def set(self, seed):
        """The arguments to add to the call."""
        if self.generator is not None:
            state = dict(self.state, has_uint32=0, uinteger=0, buffer_pos=4)
            state["state"] = {"counter": numpy.zeros(4, numpy.uint64),
                              "key": numpy.array([seed, 0], numpy.uint64)}
            self.bits.state = state
            return {"rng": self.generator}
        random.seed(seed)
        numpy.random.seed(seed & 0xFFFFFFFF)
        torch = sys.modules.get("torch")
        if torch is not None:
            torch.default_generator.manual_seed(seed >> 1)
        if self.own is not None:
            self.own(seed & 0xFFFFFFFF)
        return {}
