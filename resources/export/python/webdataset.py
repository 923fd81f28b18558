# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: records
import os
import tarfile

import numpy as np


class WebSamples(Records):
    """Consecutive members of tar archives with the same name up to a dot."""

    def __init__(self, paths, fields, junk="skip"):
        files = shard_files(paths, lambda name: name.endswith(".tar"))
        self.shards = [web_samples(path, junk) for path in files]
        super().__init__(files, map(len, self.shards), fields)

    def name(self, index):
        file, sample = self.find(index)
        key = self.shards[file][sample][0]
        return f"{os.path.basename(self.paths[file])}#{key}"

    def __getitem__(self, index):
        file, sample = self.find(index)
        parts = self.shards[file][sample][1]
        values = {}
        for name, field in self.fields.items():
            wanted = field.key.split(";")
            place = next((parts[part] for part in parts if part in wanted), None)
            if place is None:
                raise ValueError(f"{self.name(index)} has no part {field.key}")
            data = read_at(self.paths[file], *place)
            if field.dtype == "int64" and field.shape == ():
                values[name] = np.array(int(data), dtype=np.int64)
            else:
                values[name] = field.array(data)
        return values


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
