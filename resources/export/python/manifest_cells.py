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


def real_number(text):
    """The number of a cell, which may have a decimal comma; None if it has no number."""
    if text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def label_text(row, label):
    """The label; of one-hot columns, the name of the only one with a 1, or ""."""
    if isinstance(label, str):
        return row.get(label, "").strip()
    numbers = {"": 0, "false": 0, "true": 1, "-1": 0, "-1.0": 0}
    cells = [row.get(column, "").strip().lower() for column in label]
    values = [numbers.get(cell, class_number(cell)) for cell in cells]
    single = set(values) <= {0, 1} and values.count(1) == 1
    return label[values.index(1)] if single else ""


def written_path(cell, extension, backslashes, prefix):
    """The path that a cell means."""
    path = cell.strip()
    if backslashes:
        path = path.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    path = path.removeprefix(prefix)
    if extension and not path.lower().endswith(PICTURE_ENDINGS):
        path += extension
    return path
