# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import argparse

import keras
import tensorflow as tf


def main():
    """Train until this many epochs are done in all; continue from a checkpoint."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    keras.utils.set_random_seed(SEED % 2**32)
    keras.config.set_dtype_policy(PRECISION)
    # All GPUs of this machine, which divide each batch; without one, the CPU.
    with tf.distribute.MirroredStrategy().scope():
        model = make_model()
        model.compile(keras.optimizers.AdamW(LEARNING_RATE), make_loss())
    keep = keras.callbacks.BackupAndRestore(CHECKPOINT, delete_checkpoint=False)
    model.fit(
        make_pairs(),
        epochs=options.epochs,
        steps_per_epoch=STEPS,
        callbacks=[keep],
        shuffle=False,  # the data set does it
    )
    model.save("model.keras")


if __name__ == "__main__":
    main()
