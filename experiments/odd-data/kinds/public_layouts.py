# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The layouts of public data sets, drawn small: which split is read, and what its labels are."""

import numpy as np
from case import case
from draw import halves, jpeg, picture, png

from .pictures import exif

MASK = png(halves(0, 1))
PAIR = ["1.jpg", "2.jpg"]


@case("person re-identification, as Market-1501", "the pictures of the training folder",
      said=["Only `bounding_box_train` is read"], samples=2)
def splits_without_classes(to):
    to.photos("bounding_box_train/0002_c1.jpg", "bounding_box_train/0007_c1.jpg",
              "bounding_box_test/0003_c1.jpg", "query/0003_c2.jpg")  # fmt: skip


@case("`seg_train` and `seg_test` with class folders", "the classes of the training folder",
      said=["Only `seg_train` is read"], classes=["sea", "street"], samples=2, labels=[0, 1])
def splits_with_classes(to):
    to.photos("seg_train/sea/1.jpg", "seg_train/street/1.jpg", "seg_test/sea/2.jpg",
              "seg_pred/3.jpg")  # fmt: skip


@case("vessels, as DRIVE", "pictures and masks of the training folder",
      said=["`images` with `1st_manual`", "Only `training` is read"], samples=2)
def splits_with_masks(to):
    for name in ("21", "22"):
        to.photos(f"training/images/{name}_training.jpg", f"test/images/{name}_test.jpg")
        to.put(f"training/1st_manual/{name}_manual1.png", MASK)


@case("driving, as KITTI", "texts in the folder next to the pictures are no class",
      said=["only `image_2` has pictures"], samples=2)
def folders_of_texts(to):
    for split in ("training", "testing"):
        to.photos(f"{split}/image_2/1.jpg", f"{split}/image_2/2.jpg")
        to.put(f"{split}/calib/1.txt", b"P0: 1 0 0\n")


@case("colour and depth of one name, as NYU", "pairs", said=["`rgb` with `depth`"], samples=2)
def colour_and_depth(to):
    to.photos("rgb/1.jpg", "rgb/2.jpg", "depth/1.jpg", "depth/2.jpg")


@case("masks next to the pictures of both splits", "paired with the pictures for training",
      said=["`imgs_train` with `masks_train`"], samples=2)
def masks_of_one_split(to):
    for name in ("1", "2"):
        to.photos(f"imgs_train/{name}.jpg", f"imgs_test/{name}.jpg")
        to.put(f"masks_train/{name}.png", MASK)


@case("`train.csv` with names that both splits have", "the pictures of `train`",
      said=["paths start in `train`"], samples=2, labels=[0, 1])
def table_of_one_split(to):
    to.photos(*(f"{split}/{name}" for split in ("test", "train") for name in PAIR))
    to.put("train.csv", b"image,label\n1.jpg,0\n2.jpg,1\n")


@case("labelImg's texts next to the pictures", "boxes of YOLO",
      said=["in the format of YOLO", "dog", "cat"], samples=2)
def boxes_next_to_pictures(to):
    to.photos(*PAIR)
    to.put("classes.txt", b"dog\ncat\n")
    for name in ("1", "2"):
        to.put(f"{name}.txt", b"1 0.5 0.5 0.2 0.2\n")


@case("ImageNet as Kaggle has it", "the class folders in `train`",
      classes=["n01", "n02"], samples=2, labels=[0, 1])
def class_folders_far_below(to):
    to.photos("ILSVRC/Data/CLS-LOC/train/n01/1.jpg", "ILSVRC/Data/CLS-LOC/train/n02/1.jpg",
              "ILSVRC/Data/CLS-LOC/val/2.jpg")  # fmt: skip
    to.put("LOC_sample_submission.csv", b"ImageId,PredictionString\nx9,n01 1\n")


@case("captions", "not classes", said=["Column `caption` holds sentences"], samples=4)
def captions(to):
    texts = ["a dog on the beach", "two cats in a box", "a red bus in town", "rain on a window"]
    rows = [f"{i}.jpg,{text}" for i, text in enumerate(texts)]
    to.photos(*(f"{i}.jpg" for i in range(len(texts))))
    to.put("captions.csv", "\n".join(["image,caption", *rows, ""]).encode())


@case("a table whose names have no picture", "mentioned, with what to do",
      said=["`train.csv` is a table, but its rows do not name the pictures"], samples=2)
def table_of_other_names(to):
    to.photos("train/1_red.jpg", "train/2_red.jpg")
    to.put("train.csv", b"Id,Target\n1,5\n2,3\n")


@case("an array of grey pictures, as MNIST", "pictures with one channel",
      said=["image u8 28x28x1 hwc (image)"], samples=8)
def grey_arrays(to):
    np.save(to.path("x.npy"), np.zeros((8, 28, 28), np.uint8))


@case("a picture in each .npy file", "its rows are not samples: reported, with what to do",
      said=["each file of 28x28x3 numbers looks like one picture", "np.stack"], samples=56)
def one_picture_per_array(to):
    for name in ("a", "b"):
        np.save(to.path(f"{name}.npy"), np.zeros((28, 28, 3), np.uint8))


@case("HDF5 with both splits", "the training split alone", samples=4, labels=[0, 1, 2, 3],
      said=["image u8 16x16x3 hwc (image)", "unused datasets: test/images"], needs=["h5py"])
def hdf5_with_splits(to):
    import h5py

    with h5py.File(to.path("x.h5"), "w") as file:
        for split, first in (("test", 4), ("train", 0)):
            file[f"{split}/images"] = np.zeros((4, 16, 16, 3), np.uint8)
            file[f"{split}/labels"] = np.arange(first, first + 4)


@case("HDF5 with a group for each sample", "refused, with what to write instead",
      said=["5 groups have a dataset `image`", "write one dataset for each field"],
      needs=["h5py"])
def hdf5_with_groups(to):
    import h5py

    with h5py.File(to.path("x.h5"), "w") as file:
        for i in range(5):
            file[f"img_{i}/image"] = np.zeros((16, 16, 3), np.uint8)


@case("Parquet with labels as texts", "numbered in alphabetical order", samples=4,
      classes=["cat", "owl"], labels=[1, 0, 1, 0],
      said=["numbered in alphabetical order: cat is 0, owl is 1"], needs=["pyarrow"])
def parquet_with_texts(to):
    import pyarrow
    import pyarrow.parquet

    table = {"image": [png(halves(i, i + 9)) for i in range(4)],
             "label": ["owl", "cat", "owl", "cat"]}  # fmt: skip
    pyarrow.parquet.write_table(pyarrow.table(table), to.path("x.parquet"))


@case("a picture that EXIF turns by 180 degrees, and a mask without EXIF",
      "their sizes agree, so it is reported", said=["only their content tells"], samples=1)
def half_turn_with_mask(to):
    to.put("img/1.jpg", jpeg(picture(), exif=exif(3)))
    to.put("mask/1.png", MASK)


@case("skin lesions, as HAM10000: a table of names, pictures in two folders",
      "found in both folders", said=["found by their names in the folders below"],
      classes=["mel", "nv"], samples=4, labels=[1, 0, 1, 0])  # fmt: skip
def pictures_in_two_parts(to):
    to.photos("part_1/ISIC_1.jpg", "part_1/ISIC_2.jpg", "part_2/ISIC_3.jpg", "part_2/ISIC_4.jpg")
    to.put("metadata.csv", b"lesion_id,image_id,dx,age\n"
           b"H1,ISIC_1,nv,40\nH2,ISIC_2,mel,50\nH1,ISIC_3,nv,40\nH3,ISIC_4,mel,60\n")  # fmt: skip


@case("chest X-rays, as ChestX-ray14: more rows than are examined at the beginning, folders in "
      "folders", "found in all folders", said=["divided by `|`", "found by their names"],
      samples=600)  # fmt: skip
def pictures_in_many_parts(to):
    rows = [b"Image Index,Finding Labels,Patient ID"]
    for i in range(600):
        name = f"{i:08d}_000.png"
        to.put(f"images_{i // 300:03d}/images/{name}", MASK)
        rows.append(f"{name},{'Mass|Edema' if i % 2 else 'No Finding'},{i}".encode())
    to.put("Data_Entry.csv", b"\n".join(rows) + b"\n")


@case("a table of names that two files have", "those rows are left out and reported",
      said=["several files are called `1.jpg`"], samples=2, labels=[1, 0])
def names_of_two_files(to):
    to.photos("a/1.jpg", "b/1.jpg", "a/2.jpg", "b/3.jpg")
    to.put("x.csv", b"image,label\n1.jpg,cat\n2.jpg,dog\n3.jpg,cat\n")


@case("classes with masks next to their pictures, as FSS-1000", "pictures and masks",
      said=["Distinguished by the name endings `.jpg` and `.png`", "may be classes"],
      samples=4)  # fmt: skip
def masks_of_another_format(to):
    for name in ("ab_wheel/1", "ab_wheel/2", "abacus/1", "abacus/2"):
        to.photos(f"{name}.jpg")
        to.put(f"{name}.png", MASK)


@case("classes below classes, as iNaturalist", "the first level, and the others are named",
      said=["They hold 3 folders more, such as `animal/cat`"], classes=["animal", "plant"],
      samples=3)  # fmt: skip
def classes_below_classes(to):
    to.photos("animal/cat/1.jpg", "animal/dog/2.jpg", "plant/oak/3.jpg")


@case("domains above classes, as Office-31", "the domains, and the folders below are named",
      said=["They hold 4 folders more, such as `amazon/images/bike`"], classes=["amazon", "dslr"],
      samples=4)  # fmt: skip
def domains_above_classes(to):
    to.photos(*(f"{domain}/images/{thing}/1.jpg" for domain in ("amazon", "dslr")
                for thing in ("bike", "mug")))  # fmt: skip


@case("photos with masks of the same name in class folders, as FSS-1000",
      "reported: the files belong together",
      said=["Files belong together by their names, such as `1.jpg` and `1.png`"], samples=8)  # fmt: skip
def twins_in_classes(to):
    to.photos(*(f"{thing}/{i}.{ending}" for thing in ("abacus", "bat") for i in (1, 12)
                for ending in ("jpg", "png")))  # fmt: skip


@case("the two sides of stereo pictures", "reported: the folders may be no classes",
      said=["the same names in each folder, such as 01"], samples=8)  # fmt: skip
def two_sides(to):
    to.photos(*(f"{side}/{i:02d}.jpg" for side in ("left", "right") for i in range(1, 5)))
