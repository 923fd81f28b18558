# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import os


def place_of(name: str) -> float:
    """Return a number in [0, 1) that follows from the name alone."""
    number, most = 14695981039346656037, 2**64 - 1
    for byte in os.fsencode(name):
        number = (number ^ byte) * 1099511628211 & most
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 1):
        number = (number ^ number >> 33) * factor & most
    return (number >> 11) / 2**53


def split(order, source, part, share, each_class=False):
    """Return the training or the validation part, chosen by the names."""
    wanted = part == "validation"
    places = [place_of(name) for name in source.names]
    if not each_class:
        return [i for i in order if (places[i] < share) == wanted]
    labels, classes = getattr(source, "labels", None), {}
    for i in sorted(range(len(places)), key=places.__getitem__):
        classes.setdefault(None if labels is None else int(labels[i]), []).append(i)
    validation = set()
    for samples in classes.values():
        count = int(share * len(samples) + 0.5)
        if len(samples) > 1 and 0 < share < 1:
            count = min(max(count, 1), len(samples) - 1)
        validation.update(samples[:count])
    return [i for i in order if (i in validation) == wanted]
