# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: class_key list_files source
import os


def image_folder(
    paths, subset, classes_from=None, class_order="bytes", junk="skip"
):
    """Pictures below folders; the class is the first folder level.

    `subset` has an effect if a folder holds `train` and a validation folder.
    Classes of the training folder are numbered first, in byte order.
    """
    roots = []
    for root in map(os.fsencode, paths):
        parts, train = [b""], b""
        for name in (b"val", b"validation", b"valid", b"test", b"dev"):
            folders = [os.path.join(root, part) for part in (b"train", name)]
            if all(map(os.path.isdir, folders)):
                wanted = {"train": [b"train"], "validation": [name]}
                parts, train = wanted.get(subset, [b"train", name]), b"train"
                break
        roots.append((root, parts, train))
    first = [os.path.join(root, train) for root, _, train in roots]
    rest = [os.path.join(root, part) for root, parts, _ in roots for part in parts]
    if classes_from:
        first = [os.fsencode(classes_from)]
    numbers = {}
    for folders in (first, rest):
        names = {n for folder in folders for n in list_folders(folder, junk)}
        for name in sorted(names, key=lambda name: class_key(name, class_order)):
            numbers.setdefault(name, len(numbers))

    names, files, labels = [], [], []
    for root, parts, _ in roots:
        for part in parts:
            paths = list_files(root, part, junk)
            folders = [os.path.relpath(p, part or b".").split(b"/")[:-1] for p in paths]
            flat = not any(folders)
            for path, folder in zip(paths, folders):
                if folder or flat:
                    name = folder[0] if folder else b"."
                    labels.append(numbers.setdefault(name, len(numbers)))
                    names.append(path)
                    files.append(os.path.join(root, path))
    return Source(names, {"image": files}, labels, list(numbers))
