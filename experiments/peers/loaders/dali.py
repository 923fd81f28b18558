# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in NVIDIA DALI on the CPU (device_id=None)."""

from nvidia.dali import fn, pipeline_def, types

WORKS = ("photos", "pairs", "masks")
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


def pairs(data):
    low, high = two_readers(data / "low", data / "high")
    shape = fn.peek_image_shape(low)
    top = fn.cast(fn.random.uniform(range=[0.0, 1.0]) * (shape[0] - 48), dtype=types.INT32)
    left = fn.cast(fn.random.uniform(range=[0.0, 1.0]) * (shape[1] - 48), dtype=types.INT32)
    corner = fn.stack(top, left)
    mirror = fn.random.coin_flip()
    outputs = []
    for encoded, scale in ((low, 1), (high, 4)):
        image = fn.decoders.image_slice(
            encoded, start=corner * scale, shape=[48 * scale, 48 * scale], axis_names="HW"
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
    graph = {"photos": photos, "pairs": pairs, "masks": masks}[work]
    pipeline = pipeline_def(lambda: graph(data))(
        batch_size=batch, num_threads=threads, device_id=None, prefetch_queue_depth=2
    )
    pipeline.build()
    while True:
        first, *_ = pipeline.run()
        yield first.as_tensor().shape()[0]
