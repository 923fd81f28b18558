# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob

import numpy as np


class Samples:
    """The files DATA/CLASS/FILE with the numbers of their classes."""

    def __init__(self):
        self.names = sorted(glob("*/*", root_dir=DATA))
        folders = sorted(glob("*/", root_dir=DATA))
        self.classes = {name.rstrip("/"): i for i, name in enumerate(folders)}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        name = self.names[index]
        label = np.int64(self.classes[name.split("/")[0]])
        return {"image": os.path.join(DATA, name), "label": label}
