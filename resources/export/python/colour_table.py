# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import re

# Lines `name:r,g,b:...`, `r g b name` and `name,r,g,b`.
COLOUR_LINES = [
    re.compile(r"[^:]*:\s*(\d+)[,;\s]+(\d+)[,;\s]+(\d+)\s*(?::.*)?"),
    re.compile(r"(\d+)[,;\s]+(\d+)[,;\s]+(\d+)[,;\s]+\S.*"),
    re.compile(r"(?:.*[,;\s])?\s*(\d+)\s*[,;\s]\s*(\d+)\s*[,;\s]\s*(\d+)"),
]


def colour_table(path):
    """The colours of the classes, from lines of `name,r,g,b` or `r g b name`."""
    colours = []
    with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            matches = [pattern.fullmatch(text) for pattern in COLOUR_LINES]
            match = next(filter(None, matches), None)
            if match is None and number > 0:
                raise ValueError(f"{path}, line {number + 1}: no colour")
            if match is not None:
                colours.append([int(cell) for cell in match.groups()])
    return colours
