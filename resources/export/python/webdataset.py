# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records text_classes
import json
import os
import tarfile

import numpy as np


class WebSamples(Records):
    """Consecutive members of tar archives with the same name up to a dot."""

    def __init__(self, paths, fields, junk="skip"):
        files = shard_files(paths, lambda name: name.endswith(".tar"))
        self.shards = [web_samples(path, junk) for path in files]
        super().__init__(files, map(len, self.shards), fields)
        self.numbers = {}
        for field in fields.values():
            if field.dtype == "int64" and field.shape == ():
                self.number_texts(paths, field)

    def number_texts(self, paths, field):
        """Numbers the classes of a label whose texts are names."""
        texts = [self.part(i, field) for i in range(min(len(self), 64))]
        if not texts or 2 * sum(map(is_number, texts)) >= len(texts):
            return
        texts = (self.part(i, field).decode().strip() for i in range(len(self)))
        self.numbers = text_classes(paths, texts)
        self.classes = list(self.numbers)

    def name(self, index):
        file, sample = self.find(index)
        key = self.shards[file][sample][0]
        return f"{os.path.basename(self.paths[file])}#{key}"

    def __getitem__(self, index):
        return {n: self.value(index, f) for n, f in self.fields.items()}

    def part(self, index, field):
        """The bytes of a field's part."""
        file, sample = self.find(index)
        parts = self.shards[file][sample][1]
        extensions, _, member = field.key.partition("/")
        wanted = extensions.split(";")
        place = next((parts[part] for part in parts if part in wanted), None)
        if place is None:
            raise ValueError(f"{self.name(index)} has no part {field.key}")
        data = read_at(self.paths[file], *place)
        return json_member(data, member) if member else data

    def value(self, index, field):
        data = self.part(index, field)
        if field.dtype == "int64" and field.shape == ():
            text = data.decode().strip()
            number = self.numbers[text] if self.numbers else float(text)
            return np.array(number).astype(np.int64)
        if field.dtype and field.dtype.startswith("float") and field.shape == ():
            return np.array(float(data), dtype=field.dtype)
        return field.array(data)


def json_member(data, member):
    """The value of a member of JSON, such as annotation/class, as text."""
    value = json.loads(data)
    for name in member.split("/"):
        value = value[name]
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def web_samples(path, junk):
    """The key of each sample, and offset and size of its parts by extension."""
    samples = []
    with tarfile.open(path, "r:") as archive:
        for member in archive:
            folder, slash, name = member.name.rpartition("/")
            stem, _, extension = name.partition(".")
            if not (member.isreg() and stem and extension) or name[:2] == "__":
                continue
            if junk != "keep" and is_junk_path(member.name):
                continue
            key = folder + slash + stem
            if not samples or samples[-1][0] != key:
                samples.append((key, {}))
            place = member.offset_data, member.size
            samples[-1][1].setdefault(extension.lower(), place)
    return samples
