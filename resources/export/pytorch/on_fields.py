# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
class OnFields:
    """Applies a transform only to some fields of a sample."""

    def __init__(self, fields, transform):
        self.fields, self.transform = fields, transform

    def __call__(self, sample):
        part = {name: sample[name] for name in self.fields}
        return {**sample, **self.transform(part)}
