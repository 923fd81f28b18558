# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: shuffled
def balanced(order, source, to, generator):
    """Return every class equally often, in turn.

    to: the common size: that of the largest class, the smallest, or the mean.
    """
    groups = {}
    for index in order:
        groups.setdefault(source.labels[index], []).append(index)
    sizes = [len(group) for group in groups.values()]
    if to == "mean":
        size = (sum(sizes) + len(sizes) // 2) // len(sizes)
    else:
        size = max(sizes) if to == "largest" else min(sizes)
    columns = []
    for _, group in sorted(groups.items()):
        column = []
        while len(column) < size:
            if generator is not None:
                group = shuffled(group, generator)
            column += group[: size - len(column)]
        columns.append(column)
    return [index for row in zip(*columns) for index in row]
