# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A Keras PyDataset that decodes with TensorFlow."""
import glob
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras  # noqa: E402
import numpy as np  # noqa: E402


class Batches(keras.utils.PyDataset):
    def __init__(self, size):
        super().__init__(workers=2)
        self.files, self.size = sorted(glob.glob("classes/*/*.jpg")), size

    def __len__(self):
        return len(self.files) // self.size

    def __getitem__(self, i):
        names = self.files[i * self.size:(i + 1) * self.size]
        images = [keras.utils.img_to_array(keras.utils.load_img(name, target_size=(160, 160))) for name in names]
        return np.stack(images) / 255, np.arange(len(names))


loader = Batches(8)
