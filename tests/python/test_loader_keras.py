# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A Keras PyDataset with its own workers; skipped without TensorFlow."""

import threading
import time
import unittest

from with_tensorflow import part  # comes first: it may start another interpreter

import keras
import numpy as np

keras_data, knobs, subject, trouble = (part(name) for name in ("keras_data", "knobs", "subject", "trouble"))


class Numbers(keras.utils.PyDataset):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.threads = set()
        self.epochs = 0

    def __len__(self):
        return 6

    def __getitem__(self, i):
        self.threads.add(threading.get_ident())
        time.sleep(0.01)
        return np.full((4, 2), i), np.arange(4)

    def on_epoch_end(self):
        self.epochs += 1


def epoch(epochs):
    return [int(images[0, 0]) for images, _ in epochs]


class Keras(unittest.TestCase):
    def test_workers_of_keras_make_the_batches_in_order(self):
        for workers in (0, 1, 3):
            numbers = Numbers(workers=workers)
            epochs = keras_data.Epochs(numbers)
            for done in (1, 2):
                self.assertEqual(epoch(epochs), list(range(6)))
                self.assertEqual(numbers.epochs, done)
            own = threading.get_ident() in numbers.threads
            self.assertEqual(own, workers < 2)

    def test_without_that_version_of_keras_they_come_by_index(self):
        class Old:
            def __len__(self):
                return 2

            def __getitem__(self, i):
                return np.full((4, 2), i), np.arange(4)

        self.assertEqual(epoch(keras_data.Epochs(Old())), [0, 1])

    def test_its_arguments_can_be_set(self):
        numbers = Numbers()
        self.assertIs(knobs.turned(numbers, {"workers": "3", "max_queue_size": "2"}), numbers)
        self.assertEqual((numbers.workers, numbers.max_queue_size), (3, 2))
        self.assertEqual(epoch(keras_data.Epochs(numbers)), list(range(6)))
        self.assertEqual(subject.workers_of(numbers), 3)
        with self.assertRaisesRegex(trouble.Unusable, "did you mean `workers`"):
            knobs.turned(numbers, {"worker": "3"})


if __name__ == "__main__":
    unittest.main()
