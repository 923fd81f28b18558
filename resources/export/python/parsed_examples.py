# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: example
class ParsedExamples:
    """The fields of records, each of which is a tf.train.Example."""

    labels = None
    classes = ()

    def __init__(self, records, fields):
        self.records, self.fields = records, fields

    def __len__(self):
        return len(self.records)

    @property
    def names(self):
        return self.records.names

    def __getitem__(self, index):
        return example_fields(self.records[index]["record"], self.fields)
