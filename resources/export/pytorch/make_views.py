# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def make_views(sample, field, count):
    """Replace a picture by several views of it."""
    made = {}
    for name, value in sample.items():
        views = {f"view_{i + 1}": value for i in range(count)}
        made.update(views if name == field else {name: value})
    return made
