#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Samples a second of NVIDIA DALI's mixed pipeline: decoding begun on the CPU and ended on the GPU,
random crop to 224, flip and normalising to f32 on the GPU. The work of tests/gpu's on_a_gpu pipeline.

    rate.py FOLDER [--batch 64] [--threads 2] [--warmup 2] [--seconds 5]

FOLDER has a folder of JPEG files for each class. Prints one JSON object. Exit code 77: DALI is not
installed.
"""

import argparse
import json
import sys
import time

try:
    from nvidia.dali import __version__ as version
    from nvidia.dali import fn, pipeline_def, types
except ImportError as error:
    print(f"no nvidia-dali: {error}")
    sys.exit(77)

MEAN = [255 * value for value in (0.485, 0.456, 0.406)]
DEVIATION = [255 * value for value in (0.229, 0.224, 0.225)]


@pipeline_def
def photos(folder):
    encoded, labels = fn.readers.file(
        file_root=folder, random_shuffle=True, initial_fill=1024, name="reader"
    )
    images = fn.decoders.image_random_crop(
        encoded,
        device="mixed",
        random_area=[0.08, 1.0],
        random_aspect_ratio=[3 / 4, 4 / 3],
    )
    images = fn.resize(images, resize_x=224, resize_y=224)
    images = fn.crop_mirror_normalize(
        images,
        mirror=fn.random.coin_flip(),
        mean=MEAN,
        std=DEVIATION,
        dtype=types.FLOAT,
        output_layout="HWC",
    )
    return images, labels.gpu()


def rate(pipeline, batch, seconds):
    """Take batches until the time is over, and wait until the GPU has finished the last one."""
    begin = time.monotonic()
    count = 0
    while time.monotonic() - begin < seconds:
        pipeline.run()
        count += 1
    pipeline.run()[0].as_cpu()
    return (count + 1) * batch / (time.monotonic() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--warmup", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    pipeline = photos(
        options.folder,
        batch_size=options.batch,
        num_threads=options.threads,
        device_id=0,
        seed=1,
        prefetch_queue_depth=2,
    )
    pipeline.build()
    rate(pipeline, options.batch, options.warmup)
    measured = rate(pipeline, options.batch, options.seconds)
    print(json.dumps({"dali": version, "samples_per_second": measured}))


main()
