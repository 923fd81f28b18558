# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import csv


def colour_table(path):
    """The colours of the classes, from lines of `name,r,g,b`."""
    with open(path, newline="", encoding="utf-8", errors="surrogateescape") as file:
        rows = [row[-3:] for row in csv.reader(file) if row]
    if not all(cell.strip().isdigit() for cell in rows[0]):
        rows = rows[1:]  # the header
    return [[int(cell) for cell in row] for row in rows]
