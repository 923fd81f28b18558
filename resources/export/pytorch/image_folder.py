# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: class_key list_files read_file
import os
import warnings

from torch.utils.data import Dataset

VALIDATION = ("val", "validation", "valid", "test", "dev")


class ImageFolder(Dataset):
    """Files below folders; the first folder level is the class.

    If a folder holds `train` and a validation folder, subset chooses
    one of them, or both: train, validation or all.
    """

    def __init__(
        self,
        roots,
        subset="train",
        classes_from=None,
        class_order="bytes",
        junk="skip",
    ):
        self.junk = junk
        self.paths, self.names, labels = [], [], []
        known, found = set(), set()
        for root in roots:
            parts = self.divide(root, subset)
            trained = "train" if parts != [""] else ""
            known |= self.folders(os.path.join(root, trained))
            for part in parts:
                found |= self.folders(os.path.join(root, part))
                labels += self.add(root, part)
        if classes_from is not None:
            known = self.folders(classes_from)
        self.classes = []
        for names in (known, found - known):
            self.classes += sorted(names, key=lambda n: class_key(n, class_order))
        if "." in labels:
            self.classes.append(".")
        numbers = {name: i for i, name in enumerate(self.classes)}
        self.labels = [numbers[name] for name in labels]

    @staticmethod
    def divide(root, subset):
        here = [n for n in VALIDATION if os.path.isdir(os.path.join(root, n))]
        if not here or not os.path.isdir(os.path.join(root, "train")):
            if subset == "validation":
                raise FileNotFoundError(f"{root!r} has no validation folder")
            return [""]
        parts = {"train": ["train"], "validation": here[:1]}
        return parts.get(subset, ["train", here[0]])

    def folders(self, root):
        return {
            entry.name
            for entry in os.scandir(root)
            if entry.is_dir()
            and (self.junk == "keep" or not is_junk(entry.name, True))
        }

    def add(self, root, part):
        files = list_files(os.path.join(root, part), self.junk)
        inside = [name for name in files if "/" in name]
        if inside and len(inside) < len(files):
            loose = len(files) - len(inside)
            warnings.warn(f"{loose} files outside the class folders left out")
        for name in inside or files:
            self.names.append(os.path.join(part, name))
            self.paths.append(os.path.join(root, part, name))
        return [name.split("/")[0] for name in inside] or ["."] * len(files)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return {
            "image": read_file(self.paths[index]),
            "label": self.labels[index],
        }
