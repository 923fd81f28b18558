# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: list_files looks_like read_file
import os

from torch.utils.data import Dataset

SUFFIXES = [
    ("_LR", "_HR"),
    ("_lr", "_hr"),
    ("_input", "_target"),
    ("_blur", "_sharp"),
    ("_noisy", "_clean"),
    ("_image", "_mask"),
    ("_img", "_mask"),
    ("_sat", "_mask"),
    ("", "_mask"),
    ("", "_label"),
]


def pair_key(path, suffix):
    """Return a file's name without this suffix."""
    folder, name = os.path.split(path)
    stem = name.rpartition(".")[0] or name
    if not suffix:
        return os.path.join(folder, stem)
    for text in (os.path.join(folder, stem), path):
        if text.endswith(suffix) and len(text) > len(suffix):
            return text[: -len(suffix)]
    return None


class PairedFolders(Dataset):
    """Pictures with partners of the same name, except for its end.

    Both may lie in one folder, distinguished by their suffixes.
    """

    def __init__(
        self,
        inputs,
        targets,
        partner="target",
        suffixes=("", ""),
        junk="skip",
    ):
        self.partner = partner
        roots = inputs, targets
        files = list_files(inputs, junk), list_files(targets, junk)
        within = inputs == targets
        tries = SUFFIXES if within and suffixes == ("", "") else [suffixes]
        for ends in tries:
            pairs = self.match(files, ends, within)
            if pairs:
                break
        else:
            raise FileNotFoundError(f"no pairs in {inputs!r}, {targets!r}")
        self.names = [names[0] for names in pairs]
        self.paths = [
            [os.path.join(root, name) for root, name in zip(roots, names)]
            for names in pairs
        ]

    @staticmethod
    def match(files, ends, within):
        def keyed(side):
            mine, other = ends[side], ends[1 - side]
            rival = within and len(other) > len(mine)
            for path in files[side]:
                key = pair_key(path, mine)
                if key is None or rival and pair_key(path, other) is not None:
                    continue
                yield key, path

        partners = {}
        for key, path in keyed(1):
            partners.setdefault(key, path)
        inputs = list(keyed(0))
        alike = look_alikes([key for key, _ in inputs], partners)
        return [
            (path, partners[alike.get(key, key)])
            for key, path in inputs
            if alike.get(key, key) in partners
        ]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        picture, partner = self.paths[index]
        return {"image": read_file(picture), self.partner: read_file(partner)}
