# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Softmax regression in NumPy on Millrace's batches.

python numpy_training.py [--data FOLDER] [--epochs N]

FOLDER has `train` and `val`, each with one folder a class; without it pictures are drawn.
"""

import argparse

import numpy as np

import millrace

SMALL = {
    "random_resized_crop.width": 16,
    "random_resized_crop.height": 16,
    "random_resized_crop.scale_min": 0.6,
    "batch.size": 32,
}


def features(batch):
    """Pixels as rows, with a one for the bias. A copy, so the batch's memory is free again."""
    image = batch["image"]
    return np.hstack([image.reshape(len(image), -1), np.ones((len(image), 1), np.float32)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    parser.add_argument("--epochs", type=int, default=20)
    arguments = parser.parse_args()
    held_out = {**SMALL, "image_folder.subset": "validation"}
    with millrace.Loader("classification", data=arguments.data, overrides=SMALL, seed=1) as training:
        classes = len(training.classes)
        weights = np.zeros((3 * 16 * 16 + 1, classes), np.float32)
        for epoch in range(arguments.epochs):
            for batch in training:
                x = features(batch)
                scores = x @ weights
                chances = np.exp(scores - scores.max(1, keepdims=True))
                chances /= chances.sum(1, keepdims=True)
                chances[np.arange(len(x)), batch["label"]] -= 1
                weights -= 0.002 * x.T @ chances / len(x)
    right = seen = 0
    with millrace.Loader(
        "classification", data=arguments.data, overrides=held_out, no_random=True
    ) as validation:
        for batch in validation:
            right += int(((features(batch) @ weights).argmax(1) == batch["label"]).sum())
            seen += batch.rows
    print(f"{right / seen:.1%} of {seen} right, {1 / classes:.0%} by chance")


if __name__ == "__main__":
    main()
