# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def read_file(path: str) -> bytes:
    """Return the file's bytes."""
    with open(path, "rb") as file:
        return file.read()
