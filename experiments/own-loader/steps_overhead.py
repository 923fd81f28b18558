# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What timing the steps inside a DataLoader costs: batches with and without it.

    python3 experiments/own-loader/steps_overhead.py

Needs PyTorch. CPU time of this process, the least of 15 alternating passes each, so that other
programs matter little. The dataset works for a given time for each sample, in five steps.
"""
import pathlib
import time

from torch.utils.data import DataLoader, Dataset
from torch.utils.data._utils import fetch

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
steps = part("steps")  # noqa: F821

PASSES = 15
BATCH = 16


class Work:
    def __init__(self, nanoseconds):
        self.turns = max(1, nanoseconds // 20)

    def __call__(self, x):
        for _ in range(self.turns):
            pass
        return x


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


class Samples(Dataset):
    def __init__(self, count, nanoseconds):
        self.count = count
        self.transform = Compose([Work(nanoseconds // 5) for _ in range(5)])

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return self.transform(i)


def seconds(loader):
    begin = time.process_time()
    for _ in loader:
        pass
    return time.process_time() - begin


bare = fetch._MapDatasetFetcher.fetch
print("a sample takes   longer by   batches timed")
for microseconds in (2, 10, 100, 1000):
    samples = Samples(BATCH * max(20, 20_000 // microseconds), 1000 * microseconds)
    loader = DataLoader(samples, batch_size=BATCH)
    watch = steps.Watch(samples, lambda values: None)
    steps.watch_fetches(watch)
    watched = fetch._MapDatasetFetcher.fetch
    least = {bare: float("inf"), watched: float("inf")}
    for _ in range(PASSES):
        for way in least:
            fetch._MapDatasetFetcher.fetch = way
            least[way] = min(least[way], seconds(loader))
    fetch._MapDatasetFetcher.fetch = bare
    print("%11.0f us   %7.2f %%   %11.1f %%" % (
        1e6 * least[bare] / len(samples), 100 * (least[watched] / least[bare] - 1),
        100 * watch.timed / watch.batches))
