# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def read_file(path: str) -> bytes:
    """Return what the file holds."""
    with open(path, "rb") as file:
        return file.read()
