# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The transforms that a dataset applies, found by looking at its attributes."""
import functools

WALK = 8  # levels of objects in which transforms are looked for


def is_compose(thing):
    return callable(thing) and isinstance(getattr(thing, "transforms", None), (list, tuple))


def fields_of(thing):
    try:
        return dict(vars(thing))
    except TypeError:
        return {}


class Transforms:
    """The steps that a dataset applies, as (owner, key, transform), in order, each once."""

    def __init__(self, dataset):
        self.found = []
        self.objects = []  # all that was looked into
        self.taken = set()
        self.walked = set()
        self.walk(dataset, WALK)
        self.found.sort(key=lambda each: each[1] != "loader")

    def take(self, owner, key, transform):
        if not callable(transform) or isinstance(transform, type) or id(transform) in self.taken:
            return
        self.taken.add(id(transform))
        self.found.append((owner, key, transform))

    def walk(self, thing, levels):
        if levels == 0 or id(thing) in self.walked or isinstance(thing, type):
            return
        self.walked.add(id(thing))
        self.objects.append(thing)
        if is_compose(thing):
            for i, each in enumerate(thing.transforms):
                self.step(thing.transforms, i, each, levels)
            return
        for key, value in fields_of(thing).items():
            word = key.lower()
            if "transform" in word or "augment" in word or is_compose(value):
                self.step(thing, key, value, levels)
            elif word == "_format_kwargs" and isinstance(value, dict):  # Hugging Face's with_transform
                self.take(value, "transform", value.get("transform"))
            elif word == "loader" and is_function(value):  # of torchvision's ImageFolder
                self.take(thing, key, value)
            elif word in ("dataset", "_dataset"):
                self.walk(value, levels - 1)
            elif word == "datasets" and isinstance(value, (list, tuple)):
                for each in value[:8]:
                    self.walk(each, levels - 1)

    def step(self, owner, key, thing, levels):
        """A transform, or several: by split, or the parts of one that only calls others."""
        if isinstance(thing, dict):  # {"train": Compose(...)}
            for inner, each in thing.items():
                self.step(thing, inner, each, levels - 1)
            return
        if is_function(thing):
            self.take(owner, key, thing)
            return
        before = len(self.found)
        self.walk(thing, levels - 1)
        if len(self.found) == before and not is_compose(thing) and not self.passes_on(thing):
            self.take(owner, key, thing)

    def passes_on(self, thing):
        """Whether it calls transforms that are known already, as torchvision's StandardTransform."""
        return any(id(value) in self.taken or id(value) in self.walked and is_compose(value)
                   for value in fields_of(thing).values())


def is_function(thing):
    return isinstance(thing, functools.partial) or (
        hasattr(thing, "__name__") and not isinstance(thing, type))


def name_of(transform):
    if isinstance(transform, functools.partial):
        transform = transform.func
    name = getattr(transform, "__name__", None) or type(transform).__name__
    if name == "<lambda>":
        return "lambda in line %d" % transform.__code__.co_firstlineno
    return name
