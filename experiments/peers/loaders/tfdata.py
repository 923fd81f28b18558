# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in tf.data: parallel map, batch, prefetch; its own thread pool."""

import functools
import math

import tensorflow as tf

WORKS = ("photos", "augmented", "pairs", "blurred", "masks", "records", "single_records")
# Folders, the size of the crop of the first picture, and how much larger the second one is.
PAIRS = {"pairs": ("low", "high", 48, 4), "blurred": ("blurred", "sharp", 256, 1)}
MEAN = [0.485, 0.456, 0.406]
DEVIATION = [0.229, 0.224, 0.225]


def part_of(shape):
    """Draw area and proportions until the part fits into the picture; at last, its middle.

    tf.image.sample_distorted_bounding_box is shorter, but draws the height evenly, not the area:
    its parts are a tenth smaller in the mean.
    """
    rows, columns = tf.cast(shape[0], tf.float32), tf.cast(shape[1], tf.float32)
    proportions = tf.exp(tf.random.uniform([10], math.log(3 / 4), math.log(4 / 3)))
    sides = tf.sqrt(rows * columns * tf.random.uniform([10], 0.08, 1.0))
    heights = tf.round(sides * tf.math.rsqrt(proportions))
    widths = tf.round(sides * tf.sqrt(proportions))
    fitting = tf.where((heights <= rows) & (widths <= columns))
    if tf.size(fitting) > 0:
        height, width = heights[fitting[0, 0]], widths[fitting[0, 0]]
        place = tf.random.uniform([2])
    else:
        height, width = tf.minimum(rows, columns * 4 / 3), tf.minimum(columns, rows * 4 / 3)
        place = tf.constant([0.5, 0.5])
    corner = tf.floor(place * ([rows, columns] - tf.stack([height, width]) + 1))
    return tf.cast(tf.stack([corner[0], corner[1], height, width]), tf.int32)


def photo(file, label):
    """Decode only the cropped part."""
    encoded = tf.io.read_file(file)
    window = part_of(tf.io.extract_jpeg_shape(encoded))
    image = tf.image.decode_and_crop_jpeg(encoded, window, channels=3)
    image = tf.image.resize(image, [224, 224], antialias=True)
    image = tf.image.random_flip_left_right(image)
    image = (image / 255.0 - MEAN) / DEVIATION
    return tf.transpose(image, [2, 0, 1]), label


def augmented(file, label):
    """Warp with the operation of Keras' layers, on floats."""
    image = tf.io.decode_jpeg(tf.io.read_file(file), 3)
    image = tf.image.resize(image, [150, 150], antialias=True)
    angle = tf.random.uniform([], -math.radians(40), math.radians(40))
    lean = tf.tan(tf.random.uniform([], -math.radians(11.5), math.radians(11.5)))
    zoom = tf.random.uniform([], 0.8, 1.2)
    shift = tf.random.uniform([2], -0.2 * 150, 0.2 * 150)
    a, b = tf.cos(angle) / zoom, tf.sin(angle) / zoom
    x, y = 74.5 + shift[0], 74.5 + shift[1]  # where the centre goes
    c, d = a - b * lean, b + a * lean
    image = tf.raw_ops.ImageProjectiveTransformV3(
        images=image[tf.newaxis],
        transforms=[[c, d, 74.5 - c * x - d * y, -b, a, 74.5 + b * x - a * y, 0.0, 0.0]],
        output_shape=[150, 150],
        fill_value=0.0,
        interpolation="BILINEAR",
        fill_mode="NEAREST",
    )[0]
    image = tf.image.random_flip_left_right(image)
    image += tf.random.uniform([3], -20.0, 20.0)
    return tf.clip_by_value(image, 0.0, 255.0) / 255.0, label


def pair(crop, scale, low, high):
    low = tf.io.decode_png(tf.io.read_file(low), 3)
    high = tf.io.decode_png(tf.io.read_file(high), 3)
    shape, large = tf.shape(low), scale * crop
    top = tf.random.uniform([], 0, shape[0] - crop + 1, tf.int32)
    left = tf.random.uniform([], 0, shape[1] - crop + 1, tf.int32)
    low = low[top : top + crop, left : left + crop]
    high = high[scale * top : scale * top + large, scale * left : scale * left + large]
    if tf.random.uniform([]) < 0.5:
        low, high = low[:, ::-1], high[:, ::-1]
    low = tf.transpose(tf.cast(low, tf.float32) / 255.0, [2, 0, 1])
    high = tf.transpose(tf.cast(high, tf.float32) / 255.0, [2, 0, 1])
    return tf.ensure_shape(low, [3, crop, crop]), tf.ensure_shape(high, [3, large, large])


def masked(image, mask):
    image = tf.io.decode_png(tf.io.read_file(image), 3)
    mask = tf.io.decode_png(tf.io.read_file(mask), 1)
    if tf.random.uniform([]) < 0.5:
        image, mask = image[:, ::-1], mask[:, ::-1]
    one_hot = tf.one_hot(mask[..., 0], 12)
    return tf.cast(image, tf.float32) / 255.0, one_hot


FEATURES = {
    "d": tf.io.FixedLenFeature([], tf.string),
    "s": tf.io.FixedLenFeature([], tf.int64),
}
# By kind of piece: own, the opponent's negated, and the same of the squares attacked.
CHANNELS = [channel for k in range(6) for channel in (k, 6 + k, 12 + k, 18 + k)]
SIGNS = [1.0, -1.0, 1.0, -1.0] * 6


def unpacked(features):
    """Parse one record or a batch of them: the operations are the same."""
    packed = tf.io.decode_raw(features["d"], tf.uint8, fixed_length=194)
    shifts = tf.constant([7, 6, 5, 4, 3, 2, 1, 0], tf.uint8)
    bits = tf.bitwise.bitwise_and(tf.bitwise.right_shift(packed[..., None], shifts), 1)
    bits = tf.reshape(bits, tf.concat([tf.shape(packed)[:-1], [1552]], 0))
    shape = tf.concat([tf.shape(packed)[:-1], [8, 8, 24]], 0)
    board = tf.gather(tf.reshape(bits[..., :1536], shape), CHANNELS, axis=-1)
    board = tf.cast(board, tf.float64) * tf.constant(SIGNS, tf.float64)
    flags = tf.cast(bits[..., 1536:1546], tf.float64)
    mate = bits[..., 1546]
    score = tf.cast(features["s"], tf.float64)
    mated = tf.sign(score) * (1 - tf.abs(score) / 100)
    return board, flags, mate, tf.where(mate > 0, mated, tf.tanh(score / 1000))


def records(data, threads, batch, single):
    dataset = tf.data.TFRecordDataset(sorted(map(str, data.iterdir()))).shuffle(10000).repeat()
    how = {"num_parallel_calls": threads, "deterministic": False}
    if single:
        dataset = dataset.map(
            lambda record: unpacked(tf.io.parse_single_example(record, FEATURES)), **how
        )
        return dataset.batch(batch, drop_remainder=True)
    dataset = dataset.batch(batch, drop_remainder=True)
    return dataset.map(lambda rows: unpacked(tf.io.parse_example(rows, FEATURES)), **how)


def lists(work, data):
    if work in ("photos", "augmented"):
        folders = sorted((data / "train").iterdir())
        files = [(str(f), n) for n, folder in enumerate(folders) for f in sorted(folder.iterdir())]
        return tuple(list(column) for column in zip(*files))
    first, second, *_ = PAIRS.get(work, ("images", "labels"))
    names = sorted(file.name for file in (data / first).iterdir())
    return [str(data / first / n) for n in names], [str(data / second / n) for n in names]


def pictures(work, data, threads, batch):
    files = lists(work, data)
    steps = {"photos": photo, "augmented": augmented, "masks": masked}
    for name, (*_, crop, scale) in PAIRS.items():
        steps[name] = functools.partial(pair, crop, scale)
    dataset = tf.data.Dataset.from_tensor_slices(files)
    dataset = dataset.shuffle(len(files[0])).repeat()
    dataset = dataset.map(steps[work], num_parallel_calls=threads, deterministic=False)
    return dataset.batch(batch, drop_remainder=True)


def loader(work, data, threads, batch):
    tf.config.threading.set_intra_op_parallelism_threads(1)
    if work.endswith("records"):
        dataset = records(data, threads, batch, work.startswith("single"))
    else:
        dataset = pictures(work, data, threads, batch)
    options = tf.data.Options()
    options.threading.private_threadpool_size = threads
    for first, *_ in dataset.prefetch(2).with_options(options):
        yield len(first)
