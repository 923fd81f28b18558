# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: junk
import os


def list_files(root, below=b"", junk="skip"):
    """Every file below `root`, relative to it, in byte order.

    Links are followed, but never to a folder that contains them. Names that
    are not those of pictures are left out, unless `junk` is "keep". Texts are
    left out only if there are other files.
    """
    found = []

    def walk(folder, above, skips):
        place = os.path.realpath(os.path.join(root, folder))
        if place in above:
            return
        for entry in os.scandir(os.path.join(root, folder)):
            path = os.path.join(folder, entry.name)
            is_folder = entry.is_dir()
            if junk != "keep" and skips(os.fsdecode(entry.name), is_folder):
                continue
            if is_folder:
                walk(path, above | {place}, skips)
            elif entry.is_file():
                found.append(path)

    walk(below, frozenset(), is_no_picture)
    if not found:
        walk(below, frozenset(), is_junk)
    if not found:
        raise FileNotFoundError(f"{os.fsdecode(root)} holds no file")
    return sorted(found)


def list_folders(folder, junk="skip"):
    if not os.path.isdir(folder):
        return []
    return sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.is_dir()
        and (junk == "keep" or not is_junk(os.fsdecode(entry.name), True))
    )
