# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import dataclasses


@dataclasses.dataclass
class Source:
    """The samples by number. Paths are bytes, as in the file system."""

    names: list  # the path of each sample below the root
    files: dict  # the path of each sample's file, by field
    labels: list = None
    classes: list = dataclasses.field(default_factory=list)
    values: dict = dataclasses.field(default_factory=dict)  # the same in all samples

    def __len__(self):
        return len(self.names)
