# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What the user's object is taken for, without PyTorch: classes with its names."""

import pickle
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
subject = part("subject")  # noqa: F821


class Dataset:
    __module__ = "torch.utils.data.dataset"

    def __getitem__(self, index):
        raise NotImplementedError


class IterableDataset(Dataset):
    __module__ = "torch.utils.data.dataset"

    def __iter__(self):
        return iter(range(3))

    def __len__(self):
        return 3


class Subject(unittest.TestCase):
    def test_a_dataset_that_is_iterated_over_has_no_samples_by_number(self):
        self.assertFalse(subject.is_indexable(IterableDataset()))
        self.assertEqual(subject.kind_of(IterableDataset()), ("PyTorch IterableDataset", True, False))

    def test_a_pickle_is_a_file_with_one_object(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "steps.pkl"))
            with open(path, "wb") as file:
                pickle.dump({"first": [1, len]}, file)
            module = subject.load({"file": path})
        self.assertIs(subject.named(module, "object.first.1"), len)


if __name__ == "__main__":
    unittest.main()
