# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: manifest
import re

import torch


class MultiLabelManifest(Manifest):
    """Samples with any number of labels, whose vector has a 1 for each.

    `separator_of_labels` divides the labels of a cell; "[": a list in brackets.
    """

    def __init__(self, *tables, separator_of_labels, **arguments):
        self.separator_of_labels = separator_of_labels
        super().__init__(*tables, **arguments)

    def label_of(self, row):
        if not isinstance(self.label, str):
            return [column for column in self.label if label_text(row, [column])]
        cell = row.get(self.label, "").strip()
        separator = self.separator_of_labels.replace("[", ",")
        if len(cell) >= 2 and cell[0] + cell[-1] in ("[]", "{}", "()"):
            cell = cell[1:-1]
            separator = "," if "," in cell else separator
        mark = re.escape(separator)
        pattern = rf"""\s*(?:"[^"]*"|'[^']*')[^{mark}]*|[^{mark}]+"""
        parts = re.findall(pattern, cell) if separator else [cell]
        quotes = re.compile(r"""(["'])(.*)\1""")
        labels = [quotes.sub(r"\2", part.strip()) for part in parts]
        return [label for label in labels if label]

    def usable(self, row):
        if not all(row[column].strip() for column in self.columns.values()):
            return False
        one_hot = not isinstance(self.label, str)
        return one_hot or all(map(self.is_class, self.label_of(row)))

    def number(self, texts, labels, classes):
        if not classes and not isinstance(self.label, str):
            classes = self.label
        every = [label for sample in texts for label in sample]
        super().number(every, labels, classes)
        numbers = iter(self.labels)
        self.labels = []
        for sample in texts:
            label = torch.zeros(len(self.classes))
            label[[next(numbers) for _ in sample]] = 1
            self.labels.append(label)
