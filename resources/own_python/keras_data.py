# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The batches of a Keras PyDataset as `fit` takes them: from workers of Keras, if it has any."""
from millrace_own_python.subject import by_index


class Epochs:
    """Each iteration is an epoch, with the batches in order: `fit` shuffles them unless told not to."""

    def __init__(self, dataset):
        self.dataset = dataset
        self.adapter = None
        try:
            from keras.src.trainers.data_adapters.py_dataset_adapter import PyDatasetAdapter
            self.adapter = PyDatasetAdapter(dataset, shuffle=False)
        except (ImportError, AttributeError, TypeError):  # another version of Keras
            pass

    def __iter__(self):
        if self.adapter is None:
            yield from by_index(self.dataset)
            return
        self.adapter.on_epoch_begin()
        try:
            yield from self.adapter.get_numpy_iterator()
        finally:
            self.adapter.on_epoch_end()
