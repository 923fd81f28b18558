# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: manifest_cells read_file
import csv
import itertools
import os
import warnings

import numpy as np
from torch.utils.data import Dataset


class Manifest(Dataset):
    """Samples listed in CSV files; the arguments name their columns."""

    def __init__(
        self,
        tables,
        image,
        label=None,
        target=None,
        mask=None,
        root=None,
        labels="auto",
        classes=None,
        separator=",",
        header=True,
        encoding="utf-8-sig",
        extension="",
        backslashes=False,
        prefix="",
        find=str,
    ):
        self.header, self.encoding = header, encoding
        columns = {"image": image, "target": target, "mask": mask}
        self.columns = {k: v for k, v in columns.items() if v is not None}
        self.label, self.separator = label, separator
        self.allowed = classes
        self.integers = labels in ("integer", "one_based")
        self.reals = labels == "real"
        self.names, self.paths, texts = [], [], []
        for table in tables:
            folder = root or os.path.dirname(table)
            for row in self.rows(table):
                files = [
                    find(written_path(row[column], extension, backslashes, prefix))
                    for column in self.columns.values()
                ]
                self.names.append(files[0])
                self.paths.append([os.path.join(folder, f) for f in files])
                texts.append(self.label_of(row) if label else None)
        if not self.paths:
            raise ValueError(f"no usable row in {tables}")
        self.classes, self.labels = [], []
        if label:
            self.number(texts, labels, classes)

    def rows(self, table):
        with open(
            table, newline="", encoding=self.encoding, errors="surrogateescape"
        ) as file:
            lines = csv.reader(file, delimiter=self.separator)
            first = next(lines, [])
            header = [cell.strip() for cell in first]
            if not self.header:
                header = [str(n + 1) for n in range(len(first))]
                lines = itertools.chain([first], lines)
            wanted = [*self.columns.values()]
            if self.label:
                one = isinstance(self.label, str)
                wanted += [self.label] if one else self.label
            for name in wanted:
                if name not in header:
                    raise ValueError(f"{table}: no column {name!r}: {header}")
            for cells in lines:
                while len(cells) > len(header) and not cells[-1]:
                    cells.pop()
                row = dict(zip(header, cells))
                if not cells or len(cells) == 1 and not cells[0]:
                    continue
                if len(cells) == len(header) and self.usable(row):
                    yield row
                else:
                    warnings.warn(f"{table}: row left out: {cells}")

    def label_of(self, row):
        return label_text(row, self.label)

    def usable(self, row):
        if not all(row[column].strip() for column in self.columns.values()):
            return False
        if not self.label:
            return True
        return self.is_class(label_text(row, self.label))

    def is_class(self, text):
        if self.allowed:
            return text in self.allowed
        if self.reals:
            return real_number(text) is not None
        return bool(text) and (
            not self.integers or class_number(text) is not None
        )

    def number(self, texts, labels, classes):
        numbers = labels != "text" and None not in map(class_number, texts)
        if self.reals:
            self.labels = [np.float32(real_number(text)) for text in texts]
            return
        if classes:
            self.classes = list(classes)
        elif numbers:
            found = [class_number(text) for text in texts]
            first = 1 if labels == "one_based" and 0 not in found else 0
            self.classes = [str(i) for i in range(first, max(found) + 1)]
            self.labels = [number - first for number in found]
            return
        else:
            self.classes = sorted(set(texts), key=os.fsencode)
        places = {name: i for i, name in enumerate(self.classes)}
        self.labels = [places[text] for text in texts]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        files = map(read_file, self.paths[index])
        sample = dict(zip(self.columns, files))
        if self.label:
            sample["label"] = self.labels[index]
        return sample
