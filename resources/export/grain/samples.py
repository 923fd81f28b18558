# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import numpy as np


class Samples:
    """The samples of a source by number, with the paths of their files."""

    def __init__(self, source):
        self.source = source

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        files = self.source.files.items()
        sample = {name: paths[index] for name, paths in files}
        if self.source.labels is not None:
            sample["label"] = np.int64(self.source.labels[index])
        values = self.source.values.items()
        return {**sample, **{name: np.array(value) for name, value in values}}
