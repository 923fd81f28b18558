# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os
from glob import glob


class Samples:
    """The files of two folders, which have the same order by name."""

    def __init__(self, partner):
        self.partner = partner
        self.names = sorted(glob("*", root_dir=INPUTS))
        self.targets = sorted(glob("*", root_dir=TARGETS))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        image = os.path.join(INPUTS, self.names[index])
        target = os.path.join(TARGETS, self.targets[index])
        return {"image": image, self.partner: target}
