# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import dataclasses


@dataclasses.dataclass
class Source:
    """The samples by number. Paths are bytes, as the file system has them."""

    names: list  # of each sample: its path below the root
    files: dict  # by field: the path of each sample's file
    labels: list = None
    classes: list = dataclasses.field(default_factory=list)
    values: dict = dataclasses.field(default_factory=dict)  # the same in all

    def __len__(self):
        return len(self.names)
