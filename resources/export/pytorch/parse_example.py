# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: example tensors
class ParseExample:
    """Replaces a record by the fields of its tf.train.Example."""

    def __init__(self, field, fields):
        self.field, self.fields = field, fields

    def __call__(self, sample):
        sample = dict(sample)
        found = example_fields(as_bytes(sample.pop(self.field)), self.fields)
        return {**sample, **as_tensors(found, self.fields)}
