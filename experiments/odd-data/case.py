# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What a case is: a function that draws it, and what is right for it."""

import dataclasses
from collections.abc import Callable

CASES = []
PILLOW = "as Pillow"  # the pixels of Pillow's convert("RGB"), upright


@dataclasses.dataclass
class Case:
    name: str
    draw: Callable
    input: str  # what is drawn
    right: str  # what is right, in a sentence
    said: list = dataclasses.field(default_factory=list)  # parts of what `inspect` prints
    unsaid: list = dataclasses.field(default_factory=list)  # what it must not print
    samples: int = 0  # 0: there is no pipeline
    classes: list | None = None
    failures: dict = dataclasses.field(default_factory=dict)  # part of the reason, by sample
    may_fail: dict = dataclasses.field(default_factory=dict)  # kinds that a build may refuse
    labels: list | None = None  # of the samples that do not fail, in the source's order
    pixels: dict = dataclasses.field(default_factory=dict)  # decoded, by sample
    masks: dict = dataclasses.field(default_factory=dict)  # indices, by sample
    values: dict = dataclasses.field(default_factory=dict)  # of other fields, in order, by field
    below: str = ""  # what is inspected in the drawn folder
    settings: list = dataclasses.field(default_factory=list)  # `--set` for the values
    needs: list = dataclasses.field(default_factory=list)  # Python modules
    tolerance: int = 0  # levels by which pixels may differ


def case(input, right, name="", **expected):
    """Makes the function below, which draws into a Folder, a case with this or its own name."""

    def add(draw):
        CASES.append(Case(name or draw.__name__, draw, input, right, **expected))
        return draw

    return add
