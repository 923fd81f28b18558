# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in NVIDIA DALI on the CPU (device_id=None)."""

import functools

from nvidia.dali import fn, pipeline_def, types

WORKS = ("photos", "augmented", "pairs", "blurred", "masks")
# Folders, the size of the crop of the first picture, and how much larger the second one is.
PAIRS = {"pairs": ("low", "high", 48, 4), "blurred": ("blurred", "sharp", 256, 1)}
MEAN = [255 * value for value in (0.485, 0.456, 0.406)]
DEVIATION = [255 * value for value in (0.229, 0.224, 0.225)]
UNIT = {"mean": [0.0] * 3, "std": [255.0] * 3, "dtype": types.FLOAT}


def photos(data):
    encoded, labels = fn.readers.file(
        file_root=str(data / "train"), random_shuffle=True, initial_fill=1024, name="reader"
    )
    images = fn.decoders.image_random_crop(
        encoded, random_area=[0.08, 1.0], random_aspect_ratio=[3 / 4, 4 / 3]
    )
    images = fn.resize(images, resize_x=224, resize_y=224)
    images = fn.crop_mirror_normalize(
        images,
        mirror=fn.random.coin_flip(),
        mean=MEAN,
        std=DEVIATION,
        dtype=types.FLOAT,
        output_layout="CHW",
    )
    return images, labels


def augmented(data):
    encoded, labels = fn.readers.file(
        file_root=str(data / "train"), random_shuffle=True, initial_fill=1024, name="reader"
    )
    images = fn.resize(fn.decoders.image(encoded), resize_x=150, resize_y=150)
    evenly = fn.random.uniform
    centre = [75.0, 75.0]
    matrix = fn.transforms.shear(angles=evenly(range=[-11.5, 11.5], shape=[2]), center=centre)
    matrix = fn.transforms.rotation(matrix, angle=evenly(range=[-40.0, 40.0]), center=centre)
    zoom = evenly(range=[0.8, 1.2])
    matrix = fn.transforms.scale(matrix, scale=fn.stack(zoom, zoom), center=centre)
    matrix = fn.transforms.translation(matrix, offset=evenly(range=[-30.0, 30.0], shape=[2]))
    # Without a fill value the edges repeat.
    images = fn.warp_affine(images, matrix, inverse_map=False)
    images = fn.cast_like(images + evenly(range=[-20.0, 20.0], shape=[3]), images)
    images = fn.crop_mirror_normalize(
        images, mirror=fn.random.coin_flip(), output_layout="HWC", **UNIT
    )
    return images, labels


def two_readers(first, second):
    """Read files of both folders in one order."""
    names = sorted(file.name for file in first.iterdir())
    for folder in (first, second):
        yield fn.readers.file(
            files=[str(folder / name) for name in names],
            random_shuffle=True,
            initial_fill=1024,
            seed=1,
            name=folder.name,
        )[0]


def pairs(first, second, crop, scale, data):
    low, high = two_readers(data / first, data / second)
    shape = fn.peek_image_shape(low)
    top = fn.cast(fn.random.uniform(range=[0.0, 1.0]) * (shape[0] - crop), dtype=types.INT32)
    left = fn.cast(fn.random.uniform(range=[0.0, 1.0]) * (shape[1] - crop), dtype=types.INT32)
    corner = fn.stack(top, left)
    mirror = fn.random.coin_flip()
    outputs = []
    for encoded, k in ((low, 1), (high, scale)):
        image = fn.decoders.image_slice(
            encoded, start=corner * k, shape=[crop * k, crop * k], axis_names="HW"
        )
        outputs.append(
            fn.crop_mirror_normalize(image, mirror=mirror, output_layout="CHW", **UNIT)
        )
    return tuple(outputs)


def masks(data):
    images, labels = two_readers(data / "images", data / "labels")
    mirror = fn.random.coin_flip()
    images = fn.decoders.image(images)
    images = fn.crop_mirror_normalize(images, mirror=mirror, output_layout="HWC", **UNIT)
    labels = fn.decoders.image(labels, output_type=types.GRAY)
    labels = fn.flip(labels, horizontal=mirror)
    one_hot = fn.one_hot(fn.squeeze(labels, axes=[2]), num_classes=12, dtype=types.FLOAT)
    return images, one_hot


def loader(work, data, threads, batch):
    if work in PAIRS:
        graph = functools.partial(pairs, *PAIRS[work])
    else:
        graph = {"photos": photos, "augmented": augmented, "masks": masks}[work]
    pipeline = pipeline_def(lambda: graph(data))(
        batch_size=batch, num_threads=threads, device_id=None, prefetch_queue_depth=2
    )
    pipeline.build()
    while True:
        first, *_ = pipeline.run()
        yield first.as_tensor().shape()[0]
