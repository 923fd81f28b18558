# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def files_by_name(root):
    """Return a function that gives the path, below a folder, of the file with a name."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            found.setdefault(name, []).append(path)

    def find(path):
        places = found.get(os.path.basename(path), [path])
        if len(places) > 1:
            raise ValueError(f"several files are called {path}: {places}")
        return places[0]

    return find
