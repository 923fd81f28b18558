# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The steps inside a DataLoader without PyTorch; tests/app/tst_loader.cpp has it in real workers."""

import functools
import multiprocessing
import pickle
import time
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
steps, places, reports = (part(name) for name in ("steps", "places", "reports"))  # noqa: F821


class Slow:
    def __call__(self, x):
        time.sleep(0.002)
        return x


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


class Passing:
    """As torchvision's StandardTransform: calls others that the dataset also holds."""

    def __init__(self, transform):
        self.transform = transform

    def __call__(self, x):
        return self.transform(x)


class Dataset:
    def __init__(self, **fields):
        vars(self).update(fields)


class Fetcher:
    """As PyTorch's _MapDatasetFetcher."""

    def __init__(self, dataset, collate_fn):
        self.dataset, self.collate_fn = dataset, collate_fn

    def fetch(self, index):
        return self.collate_fn([self.dataset.transform(i) for i in index])


def double(x):
    return 2 * x


def names(dataset):
    return places.Places(steps.Times(), dataset).names


class Finding(unittest.TestCase):
    def test_transforms_are_found_where_datasets_keep_them(self):
        self.assertEqual(names(Dataset(transform=Compose([Slow(), double, Slow()]))),
                         ["Slow", "double", "Slow 2"])
        self.assertEqual(names(Dataset(augmentations=Slow(), target_transform=double)),
                         ["Slow", "double"])
        self.assertEqual(names(Dataset(transform={"train": Compose([Slow()]), "val": double})),
                         ["Slow", "double"])
        inner = Dataset(transform=Compose([Compose([Slow()]), functools.partial(double)]))
        self.assertEqual(names(Dataset(datasets=[Dataset(dataset=inner)])), ["Slow", "double"])
        self.assertEqual(names(Dataset(_format_kwargs={"transform": double})), ["double"])

    def test_each_is_found_once(self):
        compose = Compose([Slow()])
        self.assertEqual(names(Dataset(transform=compose, transforms=Passing(compose))), ["Slow"])
        slow = Slow()
        self.assertEqual(names(Dataset(transform=slow, transforms=Passing(slow))), ["Slow"])
        self.assertEqual(names(Dataset(transform=Compose([slow, slow]))), ["Slow"])

    def test_what_is_no_transform_is_none(self):
        loop = Dataset(transform=None, transforms=3, size=4)
        loop.dataset = loop
        self.assertEqual(names(loop), [])
        self.assertEqual(names(Dataset(transform=Slow)), [])
        self.assertEqual(names(3), [])


class Timing(unittest.TestCase):
    def watched(self, batches, dataset, **more):
        reports = []
        watch = steps.Watch(dataset, reports.append)
        watch.due = 0
        fetcher = Fetcher(dataset, list)
        for _ in range(batches):
            watch.fetch(Fetcher.fetch, fetcher, range(4))
        return watch, reports

    def test_a_step_has_its_time_without_those_that_it_calls(self):
        compose = Compose([Slow(), double])
        before = (compose.transforms[:], vars(Slow).copy())
        watch, reports = self.watched(5, Dataset(transform=compose))
        values = watch.values()
        self.assertEqual([name for name, _ in values["steps"]],
                         ["Slow", "double", "collate", "Dataset, other code"])
        times = dict(values["steps"])
        self.assertGreaterEqual(times["Slow"], 5 * 4 * 2_000_000)
        self.assertLess(times["double"] + times["collate"] + times["Dataset, other code"],
                        times["Slow"])
        self.assertEqual((watch.batches, values["timed"]), (5, 5))
        self.assertEqual(reports[0]["timed"], 1)
        # Nothing of the user's is changed afterwards.
        self.assertEqual((compose.transforms[:], vars(Slow).copy()), before)

    def test_fast_batches_are_timed_rarely(self):
        watch, _ = self.watched(2000, Dataset(transform=double))
        self.assertGreater(watch.every, 10)
        self.assertLess(watch.timed, 1000)

    def test_an_error_of_the_user_passes_and_leaves_no_trace(self):
        dataset = Dataset(transform=Compose([Slow(), lambda x: 1 // 0]))
        kept = dataset.transform.transforms[1]
        watch = steps.Watch(dataset, lambda values: None)
        with self.assertRaises(ZeroDivisionError):
            watch.fetch(Fetcher.fetch, Fetcher(dataset, list), range(4))
        self.assertIs(dataset.transform.transforms[1], kept)
        self.assertEqual(watch.times.inner, [])

    def test_what_the_user_changes_stays_changed(self):
        dataset = Dataset(transform=double)

        def changes(x):
            dataset.transform = abs
            return x

        dataset.transform = changes
        watch = steps.Watch(dataset, lambda values: None)
        for _ in range(3):
            watch.fetch(Fetcher.fetch, Fetcher(dataset, list), range(4))
            self.assertIs(dataset.transform, abs)

    def test_another_thread_is_not_timed(self):
        times = steps.Times()
        times.thread = -1
        self.assertEqual(times.timed("double", double)(4), 8)
        self.assertEqual(times.steps, {"double": [0, 0]})


class Reporting(unittest.TestCase):
    def reports(self, processes):
        board = bytearray(reports.SLOT * processes)
        all = reports.Reports()
        all.slots = [reports.Slot(board, i) for i in range(processes)]
        all.latest = [None] * processes
        return all

    def report(self, process, timed, **times):
        return {"process": process, "timed": timed, "root": "code",
                "steps": [[name, ns] for name, ns in times.items()]}

    def test_processes_are_added_up(self):
        told = self.reports(2)
        self.assertIsNone(told.sum(0))
        told.slots[1].write(self.report(5, 2, decode=10, code=1))
        self.assertEqual(told.sum(0), {"timed": 2, "steps": [["decode", 10], ["code", 1]]})
        told.slots[0].write(self.report(5, 3, decode=7, late=2, code=1))
        self.assertEqual(told.sum(0), {"timed": 5, "steps": [["decode", 17], ["code", 4]]})

    def test_a_worker_of_the_next_epoch_counts_on(self):
        told = self.reports(1)
        # The second had made more batches than the first when it was heard.
        for process, timed, decode in ((70, 5, 50), (71, 6, 20), (71, 7, 40)):
            told.slots[0].write(self.report(process, timed, decode=decode, code=1))
            whole = told.sum(0)
        self.assertEqual(whole, {"timed": 12, "steps": [["decode", 90], ["code", 2]]})

    def test_a_report_that_is_being_written_is_not_read(self):
        told = self.reports(1)
        slot = told.slots[0]
        slot.write(self.report(1, 1, code=1))
        reports.HEAD.pack_into(slot.memory, 0, 3, 50)
        self.assertIsNone(slot.read())
        slot.write({"steps": ["x" * reports.SLOT]})  # does not fit
        self.assertIsNone(slot.read())
        slot.write(self.report(2, 2, code=2))
        self.assertEqual(slot.read()["process"], 2)

    def test_a_spawned_worker_needs_nothing_of_the_harness(self):
        text = pickle.dumps(steps.InWorker(abs, b""))
        with multiprocessing.get_context("spawn").Pool(1) as spawned:
            made = spawned.apply(eval, ("type(__import__('pickle').loads(text)).__name__",
                                        {"text": text}))
        self.assertEqual(made, "InWorker")


if __name__ == "__main__":
    unittest.main()
