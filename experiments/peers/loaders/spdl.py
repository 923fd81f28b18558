# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in SPDL: FFmpeg decodes whole pictures in threads, its filters crop, resize and flip."""

import math
import random

import numpy
import spdl.io
from spdl.pipeline import PipelineBuilder

WORKS = ("photos", "pairs", "masks")
MEAN = numpy.array([0.485, 0.456, 0.406], numpy.float32).reshape(3, 1, 1) * 255
DEVIATION = numpy.array([0.229, 0.224, 0.225], numpy.float32).reshape(3, 1, 1) * 255


def decoded(packets, *steps, form="rgb24"):
    return spdl.io.decode_packets(packets, filter_desc=",".join((*steps, f"format={form}")))


def shuffled(files):
    while True:
        yield from random.sample(files, len(files))


def crop(height, width):
    """Return torchvision's RandomResizedCrop window."""
    for _ in range(10):
        area = height * width * random.uniform(0.08, 1.0)
        ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            return h, w, random.randint(0, height - h), random.randint(0, width - w)
    side = min(height, width)
    return side, side, (height - side) // 2, (width - side) // 2


def mirrored():
    return ("hflip",) if random.random() < 0.5 else ()


def photo(file):
    packets = spdl.io.demux_image(file)
    h, w, top, left = crop(packets.height, packets.width)
    steps = (f"crop={w}:{h}:{left}:{top}", "scale=224:224:flags=bilinear", *mirrored())
    return (decoded(packets, *steps),)


def pair(files):
    low, high = map(spdl.io.demux_image, files)
    top, left = random.randint(0, low.height - 48), random.randint(0, low.width - 48)
    mirror = mirrored()
    return (
        decoded(low, f"crop=48:48:{left}:{top}", *mirror),
        decoded(high, f"crop=192:192:{4 * left}:{4 * top}", *mirror),
    )


def masked(files):
    image, mask = map(spdl.io.demux_image, files)
    mirror = mirrored()
    return decoded(image, *mirror), decoded(mask, *mirror, form="gray")


def joined(samples):
    """Return an array for each field of a list of samples, bytes in NHWC."""
    for frames in zip(*samples):
        yield spdl.io.to_numpy(spdl.io.convert_frames(list(frames)))


def photo_batch(samples):
    (images,) = joined(samples)
    planes = numpy.empty((len(images), 3, 224, 224), numpy.float32)
    numpy.subtract(images.transpose(0, 3, 1, 2), MEAN, out=planes)
    planes /= DEVIATION
    return (planes,)


def pair_batch(samples):
    return tuple(
        numpy.divide(images.transpose(0, 3, 1, 2), numpy.float32(255), order="C")
        for images in joined(samples)
    )


def mask_batch(samples):
    images, labels = joined(samples)
    one_hot = numpy.eye(12, dtype=numpy.float32)[labels.reshape(images.shape[:3])]
    return numpy.divide(images, numpy.float32(255)), one_hot


def lists(work, data):
    if work == "photos":
        return [str(f) for folder in (data / "train").iterdir() for f in folder.iterdir()]
    first, second = ("low", "high") if work == "pairs" else ("images", "labels")
    return [(str(f), str(data / second / f.name)) for f in (data / first).iterdir()]


STAGES = {
    "photos": (photo, photo_batch),
    "pairs": (pair, pair_batch),
    "masks": (masked, mask_batch),
}


def loader(work, data, threads, batch):
    one, many = STAGES[work]
    pipeline = (
        PipelineBuilder()
        .add_source(shuffled(lists(work, data)))
        .pipe(one, concurrency=threads)
        .aggregate(batch)
        .pipe(many)
        .add_sink(2)
        .build(num_threads=threads)
    )
    with pipeline.auto_stop():
        for first, *_ in pipeline:
            yield len(first)
