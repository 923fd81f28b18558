# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A small network in Keras 3 on Millrace's batches, with JAX or TensorFlow as its backend.

KERAS_BACKEND=jax python keras_training.py [--data FOLDER] [--epochs N]

FOLDER has `train` and `val`, each with one folder a class; without it pictures are drawn.
"""

import argparse
import os

os.environ.setdefault("KERAS_BACKEND", "jax")

import keras
import numpy as np

import millrace

SMALL = {
    "random_resized_crop.width": 64,
    "random_resized_crop.height": 64,
    "random_resized_crop.scale_min": 0.4,
    "precision.layout": "nhwc",
    "batch.size": 32,
    "batch.drop_last": True,
}


def network(classes):
    layers = [keras.Input((64, 64, 3))]
    for width in (16, 32, 64):
        layers += [keras.layers.Conv2D(width, 3, padding="same", activation="relu"), keras.layers.MaxPooling2D()]
    return keras.Sequential([*layers, keras.layers.Flatten(), keras.layers.Dense(classes)])


class Batches(keras.utils.PyDataset):
    """Batches of one epoch after the other, copied because Keras keeps some of them."""

    def __init__(self, loader):
        super().__init__()  # one thread: the engine has its own
        self.loader = loader
        self.batches = None

    def __len__(self):
        return len(self.loader)

    def __getitem__(self, index):
        if index == 0 or self.batches is None:
            self.batches = iter(self.loader)
        batch = next(self.batches)
        return np.array(batch["image"]), np.array(batch["label"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data")
    parser.add_argument("--epochs", type=int, default=10)
    arguments = parser.parse_args()
    keras.utils.set_random_seed(0)
    held_out = {**SMALL, "image_folder.subset": "validation", "batch.drop_last": False}
    with millrace.Loader(
        "classification", data=arguments.data, overrides=SMALL, seed=1
    ) as training, millrace.Loader(
        "classification", data=arguments.data, overrides=held_out, no_random=True
    ) as validation:
        model = network(len(training.classes))
        model.compile(
            optimizer=keras.optimizers.Adam(1e-3),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
        for epoch in range(arguments.epochs):
            training.set_epoch(epoch)
            model.fit(Batches(training), shuffle=False, verbose=0)
            found = model.evaluate(Batches(validation), verbose=0, return_dict=True)
            print(f"epoch {epoch + 1}: {found['accuracy']:.1%} right, {keras.backend.backend()}", flush=True)


if __name__ == "__main__":
    main()
