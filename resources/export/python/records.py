# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: junk
import dataclasses
import functools
import os
import re

import numpy as np


@dataclasses.dataclass(frozen=True)
class Field:
    """A part of a sample: bytes, or an array."""

    key: object  # its name in the files
    dtype: str = ""  # NumPy's name; empty: bytes
    shape: tuple = (None,)  # None: any size
    layout: str = ""  # of a picture: "hwc" or "chw"
    mask: bool = False

    def array(self, value):
        """This value, bytes or an array of the field's type, in its shape."""
        if isinstance(value, bytes):
            if not self.dtype:
                return value
            value = np.frombuffer(value, self.dtype)
        if not self.dtype or value.dtype != self.dtype:
            kind = self.dtype or "bytes"
            raise ValueError(f"{self.key} holds {value.dtype}, not {kind}")
        return value.reshape([-1 if n is None else n for n in self.shape])


class Records:
    """The samples of a format's reader, by number, each a dict."""

    labels = None
    classes = ()

    def __init__(self, paths, counts, fields):
        self.paths, self.fields = paths, fields
        self.starts = np.cumsum([0, *counts])
        if not len(self):
            raise ValueError(f"no sample in {paths}")

    def __len__(self):
        return int(self.starts[-1])

    def find(self, index):
        """The number of the sample's file, and of the sample in it."""
        file = int(np.searchsorted(self.starts, index, "right")) - 1
        return file, int(index - self.starts[file])

    def name(self, index):
        file, record = self.find(index)
        return f"{os.path.basename(self.paths[file])}#{record}"

    @functools.cached_property
    def names(self):
        return [os.fsencode(self.name(i)) for i in range(len(self))]


def shard_files(paths, fits):
    """The files that paths name: braces as in shells, and folders.

    Of a folder, all files below it with a fitting name, in byte order.
    """
    files = []
    for path in [one for entry in paths for one in braced(entry)]:
        found = [path]
        if os.path.isdir(path):
            found = sorted(files_below(path, fits), key=os.fsencode)
            if not found:
                raise FileNotFoundError(f"no file in {path!r} has the name of one")
        files += found
    return files


def files_below(root, fits):
    for folder, folders, names in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        folders[:] = [
            name
            for name in folders
            if not is_junk(name, True)
            and not f"{real}/".startswith(
                os.path.realpath(os.path.join(folder, name)) + "/"
            )
        ]
        for name in names:
            if fits(name) and not is_junk(name, False):
                yield os.path.join(folder, name)


def braced(pattern):
    """All names of a pattern: {a,b}, {000..015}."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if match is None or os.path.exists(pattern):
        return [pattern]
    ends = re.fullmatch(r"(\d+)\.\.(\d+)", match[1])
    names = match[1].split(",")
    if ends:
        width = len(ends[1]) if ends[1].startswith("0") else 1
        numbers = range(int(ends[1]), int(ends[2]) + 1)
        names = [f"{number:0{width}}" for number in numbers]
    before, behind = pattern[: match.start()], pattern[match.end() :]
    return [before + name + rest for name in names for rest in braced(behind)]


@functools.lru_cache(maxsize=256)
def open_file(path):
    return open(path, "rb", buffering=0)


def read_at(path, offset, size):
    """These bytes of a file, for any thread or process."""
    file = open_file(path)  # held: another thread may have put it out of the cache
    data = os.pread(file.fileno(), size, offset)
    if len(data) < size:
        raise ValueError(f"{path}: cut short at byte {offset + len(data)}")
    return data
