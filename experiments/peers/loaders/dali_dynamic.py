# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in NVIDIA DALI's dynamic mode on the CPU: operations on batches, in a Python loop."""

from concurrent.futures import ThreadPoolExecutor

import nvidia.dali.experimental.dynamic as ndd
from nvidia.dali import types

WORKS = ("photos", "augmented", "pairs", "blurred", "masks")
# Folders, the size of the crop of the first picture, and how much larger the second one is.
PAIRS = {"pairs": ("low", "high", 48, 4), "blurred": ("blurred", "sharp", 256, 1)}
MEAN = [255 * value for value in (0.485, 0.456, 0.406)]
DEVIATION = [255 * value for value in (0.229, 0.224, 0.225)]
UNIT = {"mean": [0.0] * 3, "std": [255.0] * 3, "dtype": ndd.float32}


def evenly(like, low, high, shape=()):
    return ndd.random.uniform(range=[low, high], shape=shape, batch_size=like.batch_size)


def photo(encoded):
    images = ndd.decoders.image_random_crop(
        encoded, random_area=[0.08, 1.0], random_aspect_ratio=[3 / 4, 4 / 3]
    )
    images = ndd.resize(images, size=[224, 224])
    return ndd.crop_mirror_normalize(
        images,
        mirror=ndd.random.coin_flip(batch_size=encoded.batch_size),
        mean=MEAN,
        std=DEVIATION,
        dtype=ndd.float32,
        output_layout="CHW",
    )


def augmented(encoded):
    images = ndd.resize(ndd.decoders.image(encoded), size=[150, 150])
    centre = [75.0, 75.0]
    matrix = ndd.transforms.shear(angles=evenly(encoded, -11.5, 11.5, [2]), center=centre)
    matrix = ndd.transforms.rotation(matrix, angle=evenly(encoded, -40.0, 40.0), center=centre)
    zoom = evenly(encoded, 0.8, 1.2)
    matrix = ndd.transforms.scale(matrix, scale=ndd.stack(zoom, zoom), center=centre)
    matrix = ndd.transforms.translation(matrix, offset=evenly(encoded, -30.0, 30.0, [2]))
    # Without a fill value the edges repeat.
    images = ndd.warp_affine(images, matrix, inverse_map=False)
    images = ndd.cast(images + evenly(encoded, -20.0, 20.0, [3]), dtype=ndd.uint8)
    mirror = ndd.random.coin_flip(batch_size=encoded.batch_size)
    return ndd.crop_mirror_normalize(images, mirror=mirror, output_layout="HWC", **UNIT)


def pairs(crop, scale, low, high):
    shape = ndd.peek_image_shape(low)
    room = ndd.cast(shape.slice[:2] - crop, dtype=ndd.float32)
    corner = ndd.cast(evenly(low, 0.0, 1.0, [2]) * room, dtype=ndd.int32)
    mirror = ndd.random.coin_flip(batch_size=low.batch_size)
    outputs = []
    for encoded, k in ((low, 1), (high, scale)):
        image = ndd.decoders.image_slice(
            encoded, start=corner * k, shape=[crop * k, crop * k], axis_names="HW"
        )
        outputs.append(
            ndd.crop_mirror_normalize(image, mirror=mirror, output_layout="CHW", **UNIT)
        )
    return outputs


def masked(images, labels):
    mirror = ndd.random.coin_flip(batch_size=images.batch_size)
    images = ndd.decoders.image(images)
    images = ndd.crop_mirror_normalize(images, mirror=mirror, output_layout="HWC", **UNIT)
    labels = ndd.decoders.image(labels, output_type=types.GRAY)
    labels = ndd.flip(labels, horizontal=mirror)
    return images, ndd.one_hot(ndd.squeeze(labels, axes=[2]), num_classes=12, dtype=ndd.float32)


def folder_batches(data, batch):
    """Yield batches of files and labels, epoch after epoch."""
    reader = ndd.readers.File(
        file_root=str(data / "train"), random_shuffle=True, initial_fill=1024
    )
    while True:
        yield from reader.next_epoch(batch_size=batch, capture=True)


def paired_batches(first, second, batch):
    """Yield batches of the files of both folders, which are in one order."""
    names = sorted(file.name for file in first.iterdir())
    readers = [
        ndd.readers.File(
            files=[str(folder / name) for name in names],
            random_shuffle=True,
            initial_fill=1024,
            seed=1,
        )
        for folder in (first, second)
    ]
    while True:
        epochs = [reader.next_epoch(batch_size=batch) for reader in readers]
        for (one, _), (other, _) in zip(*epochs):
            yield one, other


def batches(work, data, batch):
    if work in ("photos", "augmented"):
        step = {"photos": photo, "augmented": augmented}[work]
        for encoded, labels in folder_batches(data, batch):
            yield step(encoded), labels
        return
    first, second, *sizes = PAIRS.get(work, ("images", "labels"))
    for files in paired_batches(data / first, data / second, batch):
        yield pairs(*sizes, *files) if sizes else masked(*files)


def counted(work, data, threads, batch):
    ndd.set_num_threads(threads)
    for outputs in batches(work, data, batch):
        tensors = [output.torch() for output in outputs]
        yield len(tensors[0])


def loader(work, data, threads, batch):
    """Run in a thread: each has a state of the dynamic mode, which exported code also uses."""
    counts = counted(work, data, threads, batch)
    with ThreadPoolExecutor(1) as thread:
        try:
            while True:
                yield thread.submit(next, counts).result()
        finally:
            thread.submit(counts.close).result()
