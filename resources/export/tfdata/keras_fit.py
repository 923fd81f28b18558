# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import keras


def main():
    """Train, and keep the model in model.keras."""
    keras.utils.set_random_seed(SEED % 2**32)
    model = make_model()
    model.compile(keras.optimizers.AdamW(LEARNING_RATE), make_loss())
    model.fit(make_pairs(), epochs=EPOCHS, steps_per_epoch=STEPS, shuffle=False)
    model.save("model.keras")


if __name__ == "__main__":
    main()
