# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: good
def filled(samples):
    """Return the samples, with a good one in place of each that failed."""
    last = good(samples)[0]
    rows = []
    for sample in samples:
        last = sample if sample is not None else last
        rows.append(last)
    return rows
