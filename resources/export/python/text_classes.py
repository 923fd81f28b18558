# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def text_classes(paths, texts):
    """The number of each class whose labels are texts.

    It follows classes.txt next to the data, or else the order of all texts, unless
    all of them are numbers.
    """
    for path in paths:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        file = os.path.join(folder, "classes.txt")
        if os.path.isfile(file):
            with open(file, encoding="utf-8") as lines:
                names = lines.read().splitlines()
            return {name: number for number, name in enumerate(names)}
    names = sorted({text for text in texts if text})
    if all(name.isdecimal() for name in names):
        return {name: int(name) for name in names}
    return {name: number for number, name in enumerate(names)}
