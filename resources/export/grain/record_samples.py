# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import io

import numpy as np


class Samples:
    """The samples of a reader by number; pictures are files, or HWC."""

    def __init__(self, source):
        self.source = source

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        sample = dict(self.source[index])
        for name, field in self.source.fields.items():
            if isinstance(sample[name], bytes):
                sample[name] = io.BytesIO(sample[name])
            elif field.layout == "chw":
                sample[name] = np.transpose(sample[name], (1, 2, 0))
        return sample
