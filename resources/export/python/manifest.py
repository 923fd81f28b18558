# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: manifest_cells source
import csv
import os
import re
import warnings


def pass_head(file, separator):
    """Passes the lines before the table: `sep=;` and comments."""
    at, line, first = file.tell(), file.readline(), True
    while (first and re.fullmatch("(sep|SEP)=.\\s*", line)) or (
        line.startswith("#") and separator not in line
    ):
        at, line, first = file.tell(), file.readline(), False
    file.seek(at)


def manifest(
    paths,
    root,
    columns,
    label,
    numbers,
    classes,
    separator=",",
    header=True,
    encoding="utf-8-sig",
    extension="",
    backslashes=False,
    prefix="",
    find=str,
):
    """Samples of CSV files; without a header row, columns are numbered from 1.

    `columns`: the column with the paths of each field. `label`: a column, or a
    list of one-hot columns. `numbers`: labels are
    numbers from 0 ("integer") or 1 ("one_based"), names ("text"), or numbers
    if all are ("auto"). `extension` is added to paths without one;
    `prefix` is left out of them; `find` gives the path that such a text means.
    """
    names, labels = [], []
    files = {field: [] for field in columns}
    for path in paths:
        folder = os.fsencode(root or os.path.dirname(path))
        with open(
            path, newline="", encoding=encoding, errors="surrogateescape"
        ) as file:
            pass_head(file, separator)
            rows = csv.reader(
                file, delimiter=separator, skipinitialspace=separator == " "
            )
            known_columns = None
            for cells in rows:
                while separator == " " and cells and not cells[-1]:
                    cells.pop()
                if known_columns is None:
                    known_columns = [cell.strip() for cell in cells]
                    if header:
                        continue
                    known_columns = [str(n + 1) for n in range(len(cells))]
                while len(cells) > len(known_columns) and not cells[-1]:
                    cells.pop()
                row = dict(zip(known_columns, cells))
                values = [row.get(column, "").strip() for column in columns.values()]
                text = label_text(row, label) if label else None
                usable = len(cells) == len(known_columns) and all(values)
                if label and classes:
                    usable = usable and text in classes
                elif label and numbers in ("integer", "one_based"):
                    usable = usable and class_number(text) is not None
                elif label:
                    usable = usable and bool(text)
                if not usable:
                    if cells:
                        warnings.warn(f"{path}, line {rows.line_num}: left out")
                    continue
                values = [
                    find(written_path(value, extension, backslashes, prefix))
                    for value in values
                ]
                for field, value in zip(columns, values):
                    files[field].append(os.path.join(folder, os.fsencode(value)))
                names.append(os.fsencode(values[0]))
                labels.append(text)
    if not label:
        return Source(names, files)
    if classes:
        known = list(classes)
    elif numbers != "text" and None not in map(class_number, labels):
        labels = [str(class_number(text)) for text in labels]
        first = 1 if numbers == "one_based" and "0" not in labels else 0
        known = [str(n) for n in range(first, max(map(int, labels)) + 1)]
    else:
        known = sorted(set(labels), key=os.fsencode)
    numbered = {name: number for number, name in enumerate(known)}
    return Source(names, files, [numbered[text] for text in labels], known)
