# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def load_all(samples):
    """Return samples of a data set, ready to be batched."""
    rows = [load(dict(zip(samples, row))) for row in zip(*samples.values())]
    return {name: [row[name] for row in rows] for name in rows[0]}
