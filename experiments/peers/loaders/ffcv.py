# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in FFCV: one file written first, decoded by its compiled pipeline in threads.

FFCV has no PNG and no pairs of pictures with one crop, so it has the photos alone. Its
file holds them encoded again (quality 90), which it needs and the others do not.
"""

import numpy
from ffcv.fields import IntField, RGBImageField
from ffcv.fields.decoders import IntDecoder, RandomResizedCropRGBImageDecoder
from ffcv.loader import Loader, OrderOption
from ffcv.transforms import NormalizeImage, RandomHorizontalFlip, ToTensor, ToTorchImage
from ffcv.writer import DatasetWriter
from PIL import Image

WORKS = ("photos",)
MEAN = numpy.array([0.485, 0.456, 0.406]) * 255
DEVIATION = numpy.array([0.229, 0.224, 0.225]) * 255


class Photos:
    def __init__(self, data):
        folders = sorted((data / "train").iterdir())
        self.files = [
            (file, label)
            for label, folder in enumerate(folders)
            for file in sorted(folder.iterdir())
        ]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        file, label = self.files[index]
        return numpy.asarray(Image.open(file).convert("RGB")), label


def written(data):
    file = data / "photos.beton"
    if not file.exists():
        whole = data / "photos.beton.part"
        fields = {"image": RGBImageField(write_mode="jpg", jpeg_quality=90), "label": IntField()}
        DatasetWriter(str(whole), fields, num_workers=1).from_indexed_dataset(Photos(data))
        whole.rename(file)
    return str(file)


def loader(work, data, threads, batch):
    batches = Loader(
        written(data),
        batch_size=batch,
        num_workers=threads,
        order=OrderOption.RANDOM,
        os_cache=True,
        drop_last=True,
        pipelines={
            "image": [
                RandomResizedCropRGBImageDecoder((224, 224)),
                RandomHorizontalFlip(),
                NormalizeImage(MEAN, DEVIATION, numpy.float32),
                ToTensor(),
                ToTorchImage(channels_last=False),
            ],
            "label": [IntDecoder(), ToTensor()],
        },
    )
    while True:
        for first, _ in batches:
            yield len(first)
