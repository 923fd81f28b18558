# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def list_files(root, below=b""):
    """Every file below `root`, relative to it, in byte order.

    Links are followed, but never to a folder that contains them.
    """
    found = []

    def walk(folder, above):
        place = os.path.realpath(os.path.join(root, folder))
        if place in above:
            return
        for entry in os.scandir(os.path.join(root, folder)):
            path = os.path.join(folder, entry.name)
            if entry.is_dir():
                walk(path, above | {place})
            elif entry.is_file():
                found.append(path)

    walk(below, frozenset())
    if not found:
        raise FileNotFoundError(f"{os.fsdecode(root)} holds no file")
    return sorted(found)


def list_folders(folder):
    if not os.path.isdir(folder):
        return []
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
