# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def class_key(name, order):
    """Sorts class folders by bytes, or numbers by value before the others."""
    name = os.fsencode(name)
    if order == "numeric" and name.isdigit():
        return 0, int(name), name
    return 1, 0, name
