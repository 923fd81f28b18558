# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: split_part
def split(order, source, part, share, each_class=False):
    """Return the training or the validation part, chosen by the names."""
    kept = split_part(source, part, share, each_class)
    return [i for i in order if kept[i]]
