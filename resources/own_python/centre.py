# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers that are the centre of what is drawn from, as Millrace draws with `--no-random`.

A uniform draw gives the middle of its range, a normal one its mean, an order the one that was there.
A transform that is applied with a probability below 1 is not applied, and neither is an augmentation policy.
"""
import contextlib
import functools
import random
import sys

import numpy

from millrace_own_python.transforms import Transforms, is_compose


# Just below the middle, so that `int(UNIT * count)` is the middle of `count` whole numbers as below.
UNIT = 0.5 - 2.0 ** -20
# A probability that no centred draw is below. With 0, Albumentations leaves a transform out that was chosen.
NEVER = 1e-12


class Draws:
    """How many there have been in this process."""

    count = 0


def counted(function):
    def drawing(*positional, **named):
        Draws.count += 1
        return function(*positional, **named)
    return drawing


def middle(low, count):
    """Of the whole numbers from `low`."""
    return low + (max(1, count) - 1) // 2


def middle_by(weights):
    """The place at which the sum of the weights exceeds half of all."""
    sums = numpy.cumsum(weights)
    return int(numpy.searchsorted(sums, sums[-1] / 2, side="right"))


def filled(value, size):
    return value if size is None else numpy.full(size, value)


class Generator:
    """In place of numpy.random.Generator, and of the functions of numpy.random."""

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return found if name.startswith("_") else counted(found)

    def random(self, size=None, **_):
        return filled(UNIT, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return filled((low + high) / 2, size)

    def integers(self, low, high=None, size=None, dtype=numpy.int64, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        return filled(dtype(middle(low, high - low + endpoint)), size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return filled(loc, size)

    def standard_normal(self, size=None, **_):
        return filled(0.0, size)

    def beta(self, a, b, size=None):
        return filled(a / (a + b), size)

    def choice(self, a, size=None, replace=True, p=None, **_):
        values = numpy.arange(a) if isinstance(a, int) else numpy.asarray(a)
        return filled(values[middle(0, len(values)) if p is None else middle_by(p)], size)

    def permutation(self, x, **_):
        return numpy.arange(x) if isinstance(x, int) else numpy.array(x)

    def shuffle(self, x, **_):
        pass


class Old(Generator):
    """The functions of numpy.random with other arguments than those of a Generator."""

    def rand(self, *sizes):
        return filled(UNIT, sizes or None)

    def randn(self, *sizes):
        return filled(0.0, sizes or None)

    def randint(self, low, high=None, size=None, dtype=int):
        return self.integers(low, high, size, dtype)

    random_sample = Generator.random


def count_seeding():
    """Code that seeds or restores a generator means to draw the same numbers again."""
    owners = [(random, ("seed", "setstate")), (numpy.random, ("seed", "set_state"))]
    if "torch" in sys.modules:
        owners.append((sys.modules["torch"], ("manual_seed", "set_rng_state")))
    for owner, names in owners:
        for name in names:
            setattr(owner, name, counted(getattr(owner, name)))


def centre_numpy():
    for name in dir(Old):
        if not name.startswith("_") and hasattr(numpy.random, name):
            setattr(numpy.random, name, getattr(Old(), name))
    numpy.random.default_rng = lambda *_: Generator()


def centre_random():
    def choice(_, values):
        return values[middle(0, len(values))]

    functions = {
        "random": lambda _: UNIT,
        "uniform": lambda _, low, high: (low + high) / 2,
        "triangular": lambda _, low=0.0, high=1.0, mode=None: (low + high) / 2,
        "gauss": lambda _, mu=0.0, sigma=1.0: mu,
        "normalvariate": lambda _, mu=0.0, sigma=1.0: mu,
        "betavariate": lambda _, alpha, beta: alpha / (alpha + beta),
        "randint": lambda _, low, high: middle(low, high - low + 1),
        "randrange": lambda _, start, stop=None, step=1: (
            range(start) if stop is None else range(start, stop, step))[
                middle(0, len(range(start) if stop is None else range(start, stop, step)))],
        "choice": choice,
        "choices": lambda _, values, *more, k=1, **named: [choice(_, values)] * k,
        "sample": lambda _, values, k, **named: list(values)[:k],
        "shuffle": lambda _, values: None,
    }
    for name, function in functions.items():
        setattr(random.Random, name, counted(function))
        setattr(random, name, counted(functools.partial(function, None)))


def centre_torch(torch):
    def sizes_of(given):
        return given[0] if len(given) == 1 and not isinstance(given[0], int) else given

    def rand(*sizes, generator=None, **more):
        return torch.full(tuple(sizes_of(sizes)), 0.5, **more)

    def randn(*sizes, generator=None, **more):
        return torch.zeros(*sizes, **more)

    def randint(*given, size=None, low=None, high=None, generator=None, dtype=torch.int64, **more):
        bounds = [each for each in given if isinstance(each, int)]
        sizes = size if size is not None else [each for each in given if not isinstance(each, int)][0]
        high = high if high is not None else bounds[-1]
        low = low if low is not None else bounds[0] if len(bounds) > 1 else 0
        return torch.full(tuple(sizes), middle(low, high - low), dtype=dtype, **more)

    def randperm(count, generator=None, **more):
        return torch.arange(count, **more)

    def multinomial(weights, count, replacement=False, *, generator=None, **more):
        if count > 1 and not replacement:
            return torch.arange(count)
        return torch.full((count,), middle_by(weights.tolist()))

    in_place = {
        "uniform_": lambda self, low=0.0, high=1.0, **_: self.fill_((low + high) / 2),
        "normal_": lambda self, mean=0.0, std=1.0, **_: self.fill_(mean),
        "random_": lambda self, low=0, high=None, **_: self.fill_(
            middle(0, low) if high is None else middle(low, high - low)),
        "bernoulli_": lambda self, p=0.5, **_: self.fill_(float(p >= 1)),
    }
    for name, function in in_place.items():
        setattr(torch.Tensor, name, counted(function))
    for function in (rand, randn, randint, randperm, multinomial):
        setattr(torch, function.__name__, counted(function))
    torch.bernoulli = counted(lambda p, **_: (p >= 1).to(p.dtype))


POLICIES = ("AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix")


def unchanged(*values):
    return values if len(values) > 1 else values[0]


def every_object(thing, module):
    """An object, the transforms in it, and those that are variables of the user's file."""
    variables = [value for value in vars(module).values() if callable(value) and not isinstance(value, type)
                 and (is_compose(value) or isinstance(getattr(value, "p", None), float))] if module else []
    walks = [Transforms(root) for root in [thing] + variables]
    return [each for walk in walks for each in walk.objects + [found for _, _, found in walk.found]]


@contextlib.contextmanager
def centred_objects(thing, module=None):
    """Within it, no transform is applied with a probability below 1, and their own generators are centred."""
    before = []
    for each in every_object(thing, module):
        held = getattr(each, "__dict__", {})
        if type(each).__name__ in POLICIES and type(each).__module__.startswith("torchvision."):
            before.append((held, "forward", held.get("forward")))
            held["forward"] = unchanged
        for name, value in list(held.items()):
            if name == "p" and isinstance(value, float) and value < 1:
                before.append((held, name, value))
                held[name] = NEVER
            elif isinstance(value, numpy.random.Generator):
                before.append((held, name, value))
                held[name] = Generator()
    try:
        yield
    finally:
        for held, name, value in reversed(before):  # an object may be there twice
            if value is None:
                del held[name]
            else:
                held[name] = value


def centre_draws():
    """Changes the functions that draw, in this process permanently."""
    count_seeding()
    centre_random()
    centre_numpy()
    if "torch" in sys.modules:
        centre_torch(sys.modules["torch"])


class Centre:
    """All draws of this process are centred from here on. Has the function `set` of Seeds."""

    def __init__(self, thing, module, takes_rng=False):
        self.more = {"rng": Generator()} if takes_rng else {}
        centre_draws()
        self.objects = centred_objects(thing, module)  # kept, because its end would undo it
        self.objects.__enter__()

    def set(self, seed):
        return self.more
