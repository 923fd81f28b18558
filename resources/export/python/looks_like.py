# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import collections
import os
import re
import unicodedata


def look_alikes(names, others):
    """The other name for each name that only looks like it.

    Such names differ by case, by zeros before numbers or by how accents are
    stored, and are unique.
    """

    def by_look(texts):
        found = collections.defaultdict(list)
        for text in texts:
            look = unicodedata.normalize("NFD", os.fsdecode(text)).lower()
            look = re.sub(r"(?<![0-9])0+(?=[0-9])", "", look)
            found[look].append(text)
        return {look: one[0] for look, one in found.items() if len(one) == 1}

    alone = by_look([name for name in names if name not in others])
    known = set(names)
    free = by_look([name for name in others if name not in known])
    return {name: free[look] for look, name in alone.items() if look in free}
