# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The parts of a sample as fields."""
from millrace_own_python.chain import looks_of
from millrace_own_python.trouble import Unusable
from millrace_own_python.watch import entries_of, numbers_of


def item_names(item):
    """The names of what a sample of an unknown data set consists of, as `items` of a node."""
    names, pictures = [], 0
    for i, (name, value) in enumerate(entries_of(item)):
        name = name if isinstance(item, dict) else None
        if isinstance(value, (str, bytes)) or value is None:
            if name is None:
                raise Unusable("a sample of its data set holds a %s, which no field can: return a dict, of "
                               "which texts are left out" % type(value).__name__)
            continue
        if numbers_of(value).dtype.kind not in "iufb":
            raise Unusable("a sample of its data set holds a %s, which no field can" % type(value).__name__)
        kind, shape = looks_of(value, "torch" if hasattr(value, "detach") else "numpy")
        picture = len(shape) == 3 and 1 <= shape[2] <= 4 and kind in ("u8", "f32")
        plain = kind in ("i64", "i32", "u8") and (not shape or shape == [1])
        role = ("image" if pictures == 0 else "target") if picture else "label" if plain else "features"
        pictures += picture
        if name is None:
            name = role if role not in names else "%s_%d" % (role, i)
        names.append(name if name == role else "%s=%s" % (name, role))
    return names
