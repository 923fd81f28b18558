# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How verify.py runs what `millrace export --to pytorch` writes."""

import itertools
import sys

# In levels of 255. Millrace rounds to whole levels between the two passes of a
# resize, as Pillow does; torchvision rounds once at the end. Rounding moves an
# intermediate level by at most 0.5, and so also a weighted mean of such levels.
# The results are whole numbers, so they differ by at most 1, and in at most a
# quarter of the pixels (the mean of an error evenly spread over -0.5 to 0.5).
TOLERANCE = {"most": 1.0001, "mean": 0.25}

TRAINING = ["--with-training"]
BOXES = True  # crops around boxes are compared


def trainings(file):
    """Two epochs, a third from the checkpoint, and a fourth in two processes."""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", 2]
    return [
        [sys.executable, file, "--epochs", 2],
        [sys.executable, file, "--epochs", 3],
        [*torchrun, file, "--epochs", 4],
    ]


def arrays(value):
    """Return a field as an array, or as one for each sample."""
    return [row.numpy() for row in value] if isinstance(value, list) else value.numpy()


def batches(module):
    loader = module.make_loader()
    if not hasattr(loader.dataset, "failed"):  # the short form
        for batch in loader:
            yield None, {name: arrays(value) for name, value in batch.items()}
        return
    source = loader.dataset.dataset
    while not hasattr(source, "names"):
        source = source.dataset
    order = iter(loader.sampler)
    for batch in loader:
        places = itertools.islice(order, module.BATCH_SIZE)
        good = [i for i in places if not loader.dataset.failed[i]]
        fields = {name: value.numpy() for name, value in batch.items()}
        yield [source.names[i] for i in good], fields


def epochs(module):
    """Yield the number of samples of each batch, epoch after epoch."""
    loader = module.make_loader()
    epoch = 0
    while True:
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            yield len(next(iter(batch.values())))
        epoch += 1


def in_this_process(loader):
    """Yield the batches of a loader without its processes; None for a stream of records."""
    import torch

    if isinstance(loader.dataset, torch.utils.data.IterableDataset):
        return None

    def batches():
        places = itertools.cycle(range(len(loader.dataset)))
        while True:
            rows = itertools.islice(places, loader.batch_size)
            yield loader.collate_fn([loader.dataset[i] for i in rows])

    torch.set_num_threads(1)  # as in each of its processes
    return batches()
