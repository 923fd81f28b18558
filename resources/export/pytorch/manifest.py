# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: read_file
import csv
import os
import warnings

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
    ):
        columns = {"image": image, "target": target, "mask": mask}
        self.columns = {k: v for k, v in columns.items() if v is not None}
        self.label, self.separator = label, separator
        self.allowed, self.integers = classes, labels == "integer"
        self.names, self.paths, texts = [], [], []
        for table in tables:
            folder = root or os.path.dirname(table)
            for row in self.rows(table):
                files = [row[column] for column in self.columns.values()]
                self.names.append(files[0])
                self.paths.append([os.path.join(folder, f) for f in files])
                texts.append(row[label].strip() if label else None)
        if not self.paths:
            raise ValueError(f"no usable row in {tables}")
        self.classes, self.labels = [], []
        if label:
            self.number(texts, labels, classes)

    def rows(self, table):
        with open(
            table, newline="", encoding="utf-8-sig", errors="surrogateescape"
        ) as file:
            lines = csv.reader(file, delimiter=self.separator)
            header = [cell.strip() for cell in next(lines, [])]
            wanted = [*self.columns.values()]
            if self.label:
                wanted.append(self.label)
            for name in wanted:
                if name not in header:
                    raise ValueError(f"{table}: no column {name!r}: {header}")
            for cells in lines:
                row = dict(zip(header, cells))
                if not cells or len(cells) == 1 and not cells[0]:
                    continue
                if len(cells) == len(header) and self.usable(row):
                    yield row
                else:
                    warnings.warn(f"{table}:{lines.line_num}: row left out")

    def usable(self, row):
        if not all(row[column] for column in self.columns.values()):
            return False
        if not self.label:
            return True
        text = row[self.label].strip()
        if self.allowed:
            return text in self.allowed
        return bool(text) and (not self.integers or self.is_number(text))

    @staticmethod
    def is_number(text):
        return text.isascii() and text.isdigit() and int(text) < 1_000_000

    def number(self, texts, labels, classes):
        numbers = labels != "text" and all(map(self.is_number, texts))
        if classes:
            self.classes = list(classes)
        elif numbers:
            count = max(map(int, texts)) + 1
            self.classes = [str(i) for i in range(count)]
            self.labels = [int(text) for text in texts]
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
