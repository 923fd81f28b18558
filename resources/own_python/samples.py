# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How many samples an item of a loader is, and what it looks like."""

SHOWN_FIELDS = 8
MOST_ROWS = 1 << 40  # a larger leading dimension, or a negative one, is no number of samples


def rows_of(thing):
    """The leading dimension of an array; None for another object."""
    shape = getattr(thing, "shape", None)
    if shape is None or isinstance(thing, type):
        return None
    try:
        rows = int(shape[0]) if len(shape) > 0 else 1
        return rows if 0 <= rows < MOST_ROWS else 1
    except (TypeError, ValueError, IndexError):
        return None


def is_number(thing):
    return isinstance(thing, (int, float)) or getattr(thing, "shape", None) == ()


def is_sample(item):
    """Whether an item with one array is a sample: a number next to it, such as a label, would be an array in a batch."""
    if not isinstance(item, (tuple, dict)):
        return False
    fields = [item[key] for key in children(item)]
    numbers = sum(is_number(field) for field in fields)
    return numbers > 0 and sum(rows_of(field) is not None and not is_number(field) for field in fields) == 1


def children(thing):
    """The keys of a container; None for another object."""
    if isinstance(thing, (list, tuple)):
        return range(len(thing))
    if isinstance(thing, dict) or (hasattr(thing, "keys") and hasattr(thing, "__getitem__")):
        return list(thing.keys())
    return None


def path_to_array(thing, depth=0):
    """The keys that lead to the first array; None if there is no array."""
    if rows_of(thing) is not None:
        return []
    keys = children(thing)
    if keys is None or depth > 6:
        return None
    for key in list(keys)[:64]:
        path = path_to_array(thing[key], depth + 1)
        if path is not None:
            return [key] + path
    return None


def list_length(thing, depth=0, field=False):
    """The length of the first list that is a field or has plain values; None without one."""
    if isinstance(thing, list) and (field or all(children(each) is None for each in thing[:4])):
        return len(thing)
    keys = children(thing)
    if keys is None or depth > 6:
        return None
    for key in list(keys)[:64]:
        length = list_length(thing[key], depth + 1, not isinstance(thing, list))
        if length is not None:
            return length
    return None


def counted(item):
    path = path_to_array(item)
    if path is None:
        length = list_length(item)
        return 1 if length is None else length
    for key in path:
        item = item[key]
    return rows_of(item)


def counter_for(first, fixed, path):
    """A fast function of an item that returns its number of samples."""
    if fixed:
        return lambda item: fixed
    if path is not None:  # of a list of samples

        def length(item):
            for key in path:
                item = item[key]
            return len(item)

        return length
    path = path_to_array(first)
    if path is None:
        return counted

    def count(item):
        try:
            array = item
            for key in path:
                array = array[key]
            rows = int(array.shape[0])
            return rows if 0 <= rows < MOST_ROWS else 1
        except (AttributeError, LookupError, TypeError, ValueError):
            return counted(item)

    return count


def path_to_list(item, size):
    """The keys that lead to a list of `size` samples, such as pictures of different sizes."""
    path = path_to_array(item) or []
    for depth in range(len(path)):
        if isinstance(item, (list, tuple)) and len(item) == size:
            return path[:depth]
        item = item[path[depth]]
    return None


def described(thing, depth=0):
    """"(32, 3, 224, 224) float32" and the like, for the user."""
    if rows_of(thing) is not None:
        kind = str(getattr(thing, "dtype", "")).replace("torch.", "").replace("<dtype: '", "")
        return "(%s) %s" % (", ".join(str(n) for n in thing.shape), kind.rstrip("'>"))
    keys = children(thing)
    if keys is None or depth > 2:
        return type(thing).__name__
    keys = list(keys)
    if isinstance(thing, list) and keys and children(thing[0]) is None and rows_of(thing[0]) is None:
        return "list of %d %s" % (len(keys), type(thing[0]).__name__)
    shown = []
    for key in keys[:SHOWN_FIELDS]:
        text = described(thing[key], depth + 1)
        shown.append(text if isinstance(key, int) else "%s: %s" % (key, text))
    if len(shown) > 1 and len(set(shown)) == 1:
        return "%s of %d times %s" % (type(thing).__name__, len(keys), shown[0])
    if len(keys) > len(shown):
        shown.append("%d in all" % len(keys))
    return "%s of %s" % (type(thing).__name__, "; ".join(shown)) if shown else "empty"
