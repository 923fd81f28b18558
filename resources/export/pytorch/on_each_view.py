# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
class OnEachView:
    """Applies a transform to one view after the other, with separate draws."""

    def __init__(self, fields, transform):
        self.fields, self.transform = fields, transform

    def __call__(self, sample):
        first = self.fields[0]
        changed = {n: self.transform({first: sample[n]})[first] for n in self.fields}
        return {**sample, **changed}
