# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def list_files(root: str) -> list[str]:
    """Return every file below root, as relative paths in byte order."""
    found = []
    for folder, folders, files in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        folders[:] = [
            name
            for name in folders
            if not f"{real}/".startswith(
                os.path.realpath(os.path.join(folder, name)) + "/"
            )
        ]
        found += [
            os.path.relpath(os.path.join(folder, name), root)
            for name in files
            if os.path.isfile(os.path.join(folder, name))
        ]
    if not found:
        raise FileNotFoundError(f"no file in the folder {root!r}")
    return sorted(found, key=os.fsencode)
