# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Other arguments for a DataLoader, without PyTorch: a class with its name and attributes."""

import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
knobs, trouble = (part(name) for name in ("knobs", "trouble"))  # noqa: F821


class DataLoader:
    __module__ = "torch.utils.data.dataloader"

    def __init__(self, num_workers=0):
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers else None
        self.persistent_workers = False
        self.worker_init_fn = None
        self._iterator = None

    def __setattr__(self, name, value):
        if name == "persistent_workers" and "_iterator" in self.__dict__:
            raise ValueError("refused after initialisation")
        super().__setattr__(name, value)


class Knobs(unittest.TestCase):
    def test_arguments_are_set(self):
        loader = DataLoader()
        knobs.turned(loader, {"num_workers": "4", "persistent_workers": "True"})
        self.assertEqual((loader.num_workers, loader.persistent_workers), (4, True))
        self.assertEqual(loader.prefetch_factor, 2)
        knobs.turned(loader, {"prefetch_factor": "5"})
        self.assertEqual((loader.num_workers, loader.prefetch_factor), (4, 5))

    def test_without_workers_nothing_is_left_of_them(self):
        loader = DataLoader(3)
        knobs.turned(loader, {"num_workers": "0"})
        self.assertEqual((loader.num_workers, loader.prefetch_factor), (0, None))

    def test_threads_are_set_before_the_users_function_runs(self):
        loader = DataLoader(2)
        loader.worker_init_fn = print
        knobs.turned(loader, {"worker_threads": "1"})
        self.assertEqual(loader.worker_init_fn.count, 1)
        self.assertIs(loader.worker_init_fn.before, print)

    def test_what_cannot_be_set_is_a_sentence(self):
        busy = DataLoader(2)
        busy._iterator = object()
        for thing, texts, says in [
                (DataLoader(), {"num_worker": "1"}, "did you mean `num_workers`?"),
                (DataLoader(), {"num_workers": "-1"}, "must be a whole number from 0, not `-1`"),
                (DataLoader(), {"pin_memory": "1"}, "must be true or false, not `1`"),
                (DataLoader(), {"prefetch_factor": "2"}, "`num_workers` is 0"),
                (busy, {"num_workers": "1"}, "workers run already"),
                ([1, 2], {"num_workers": "1"}, "only the arguments of a PyTorch DataLoader")]:
            with self.assertRaisesRegex(trouble.Unusable, says.replace("?", r"\?")):
                knobs.turned(thing, texts)


if __name__ == "__main__":
    unittest.main()
