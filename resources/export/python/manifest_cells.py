# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import re

PICTURE_ENDINGS = tuple(
    ".jpg|.jpeg|.jpe|.jfif|.png|.webp|.tif|.tiff|.bmp|.gif|.avif|.heic|.heif|.hif|"
    ".jxl|.jp2|.j2k|.jpx|.jpf|.j2c|.jpc".split("|")
)


def class_number(text):
    """The number of a class, which spreadsheets may write as 1.0 or 1,0; None for a name."""
    match = re.fullmatch(r"([0-9]{1,6})([.,]0+)?", text)
    return int(match[1]) if match else None


def written_path(cell, extension, backslashes):
    """The path that a cell means."""
    path = cell.strip()
    if backslashes:
        path = path.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    if extension and not path.lower().endswith(PICTURE_ENDINGS):
        path += extension
    return path
