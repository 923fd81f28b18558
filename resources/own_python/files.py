# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A data set whose samples are files that are decoded, with the number of a class for each."""
import os

from millrace_own_python.chain import Chain, looks_of
from millrace_own_python.subject import named
from millrace_own_python.trouble import Unusable

DECODE = {"orientation": "ignore", "scaling": "full"}  # as Pillow decodes


def title(dataset):
    root = getattr(dataset, "root", None)
    return "%s(%s)" % (type(dataset).__name__, root if isinstance(root, (str, os.PathLike)) else "")


class Files:
    """`rows` are the columns of each sample: paths, and labels as numbers. `read` decodes a path for a column
    as the user's data set does. `steps` are what is applied, as (columns, path of the transform, form of the
    pictures, whether they are keyword arguments). `lost` are the parts of a sample that are texts."""

    def __init__(self, dataset, columns, rows, read, steps, classes=(), folder=None, decode=None,
                 package="Pillow"):
        self.columns, self.rows = columns, rows
        self.read, self.steps, self.package = read, steps, package
        self.classes, self.folder, self.decode = list(classes), folder, dict(DECODE, **(decode or {}))
        self.parts = [(str(i), name) for i, name in enumerate(columns)]
        self.lost = []
        self.was = title(dataset)

    def only(self, indices):
        """The samples with these indices."""
        self.rows = [self.rows[i] for i in indices]
        self.folder = None
        self.was = "%d samples of %s" % (len(self.rows), self.was)

    def source(self):
        if self.folder is not None:
            return "image_folder", {"paths": [os.path.abspath(self.folder)], "subset": "all"}
        node = {"%s_column" % name: name for name in self.columns}
        node = dict({"label_column": ""}, **node, header="yes", separator="comma", encoding="utf8", extension="")
        if self.has_names():
            node.update(labels="text", classes=self.classes)
        elif "label" in self.columns:
            node["labels"] = "integer"
        return "manifest", node

    def has_names(self):
        """Whether a table can hold the names of the classes, and each label has one."""
        return bool(self.classes) and all(
            name == name.strip() and not set(name) & set(',"\n\r') for name in self.classes) and all(
                0 <= row[self.columns.index("label")] < len(self.classes) for row in self.rows)

    def table(self):
        """The rows of a manifest, with its head."""
        named = self.has_names()

        def cell(name, value):
            if name != "label":
                return os.path.abspath(value)
            return self.classes[value] if named else value

        return [self.columns] + [list(map(cell, self.columns, row)) for row in self.rows]

    def translate(self, translation, before):
        """Adds the nodes. `before` adds those that the loader puts between the source and the pictures."""
        if not self.rows:
            raise Unusable("its data set has no samples")
        translation.parts = self.parts
        kind, node = self.source()
        if kind == "manifest":
            translation.rows = self.table()
        translation.add(self.was, [(kind, node)], "exact")
        before()
        translation.add("decoding by %s" % self.package, [("decode", self.decode)], "exact")
        pictures = [name for name in self.columns if name != "label"]
        chosen = sorted({0, len(self.rows) // 2, len(self.rows) - 1})
        for name in self.lost:
            translation.add("part `%s` of a sample" % name, [], "left out", "no field holds a text")
        for names, path, form, by_name in self.steps:
            values = [{name: self.value(i, name) for name in names} for i in chosen]
            chain = Chain(translation, names, values, form, by_name, everything=set(pictures) <= set(names))
            chain.add(path, named(translation.module, path))
            chain.end()
        first = next(name for name in self.columns if name in ("image", "mask"))
        translation.fix_sizes(pictures, [looks_of(self.value(i, first), "numpy")[1][:2] for i in chosen])

    def value(self, index, name):
        value = self.rows[index][self.columns.index(name)]
        return value if name == "label" else self.read(value, name)
