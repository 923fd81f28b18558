# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
class Keep:
    """Drops every field that is not named."""

    def __init__(self, fields):
        self.fields = fields

    def __call__(self, sample):
        return {name: sample[name] for name in self.fields}
