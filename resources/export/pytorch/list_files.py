# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: junk
import os


def list_files(root: str, junk: str = "skip") -> list[str]:
    """Return every file below root, as relative paths in byte order.

    Names that are not those of pictures are left out, unless junk is keep.
    Texts are left out only if there are other files.
    """
    skips = (is_no_picture, is_junk) if junk != "keep" else (lambda *name: False,)
    for skip in skips:
        found = files_without(root, skip)
        if found:
            return sorted(found, key=os.fsencode)
    raise FileNotFoundError(f"no file in the folder {root!r}")


def files_without(root: str, skip) -> list[str]:
    """Return the files below root that skip(name, is_folder) does not leave out."""
    found = []
    for folder, folders, files in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        folders[:] = [
            name
            for name in folders
            if not f"{real}/".startswith(
                os.path.realpath(os.path.join(folder, name)) + "/"
            )
            and not skip(name, True)
        ]
        found += [
            os.path.relpath(os.path.join(folder, name), root)
            for name in files
            if os.path.isfile(os.path.join(folder, name)) and not skip(name, False)
        ]
    return found
