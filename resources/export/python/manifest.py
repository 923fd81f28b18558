# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: source
import csv
import os
import warnings


def manifest(paths, root, columns, label, numbers, classes, separator):
    """Samples of CSV files with a header row.

    `columns`: the column with the paths of each field. `numbers`: labels are
    numbers ("integer"), names ("text"), or numbers if all are ("auto").
    """
    names, labels = [], []
    files = {field: [] for field in columns}
    for path in paths:
        folder = os.fsencode(root or os.path.dirname(path))
        with open(
            path, newline="", encoding="utf-8-sig", errors="surrogateescape"
        ) as file:
            rows = csv.reader(file, delimiter=separator)
            header = [cell.strip() for cell in next(rows)]
            for cells in rows:
                row = dict(zip(header, cells))
                values = [row.get(column) for column in columns.values()]
                text = row[label].strip() if label in row else None
                usable = len(cells) == len(header) and all(values)
                if label and classes:
                    usable = usable and text in classes
                elif label and numbers == "integer":
                    usable = usable and text.isdigit()
                elif label:
                    usable = usable and bool(text)
                if not usable:
                    if cells:
                        warnings.warn(f"{path}, line {rows.line_num}: left out")
                    continue
                for field, value in zip(columns, values):
                    files[field].append(os.path.join(folder, os.fsencode(value)))
                names.append(os.fsencode(values[0]))
                labels.append(text)
    if not label:
        return Source(names, files)
    if classes:
        known = list(classes)
    elif numbers != "text" and all(text.isdigit() for text in labels):
        known = [str(n) for n in range(max(map(int, labels)) + 1)]
        labels = [str(int(text)) for text in labels]
    else:
        known = sorted(set(labels), key=os.fsencode)
    numbered = {name: number for number, name in enumerate(known)}
    return Source(names, files, [numbered[text] for text in labels], known)
