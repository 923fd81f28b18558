# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Data that is read in part or not at all: what is reported, and what to do about it."""

import json
import pickle

import numpy as np
from case import case
from draw import SMALL, halves, photo, png, record, example

from .lmdb_files import database


def refused(name, input, right, said, files):
    """A case: a folder that no pipeline is proposed for."""

    def draw(to):
        for file, content in files.items():
            to.put(file, content)

    case(input, right, name, said=said)(draw)


refused("dicom_in_class_folders", "class folders of DICOM files", "named, with what to do",
        ["is DICOM, which is not read", "16 bits"], {"cat/1.dcm": b"x", "dog/2.dcm": b"x"})
refused("dicom_without_ending", "a DICOM file without an ending", "named by its content",
        ["`IM1` is DICOM"], {"IM1": bytes(128) + b"DICM"})
refused("films", "films", "named, with how to get pictures", ["is a film", "ffmpeg"],
        {"run/1.mp4": b"x", "walk/2.avi": b"x"})
refused("mnist_idx", "the files of MNIST", "named", ["MNIST's IDX", "numpy.save"],
        {"train-images-idx3-ubyte.gz": b"x", "train-labels-idx1-ubyte.gz": b"x"})
refused("cifar_pickle", "the files of CIFAR-10", "named", ["Python's pickle"],
        {"data_batch_1": pickle.dumps({b"data": 1}), "readme.html": b"x"})
refused("empty_class_folders", "class folders without files", "reported",
        ["2 folders without files"], {"cat/.keep": b"", "dog/.keep": b""})
refused("table_with_a_header_only", "a table with a header row only", "reported",
        ["a header row and no other row"], {"labels.csv": b"file,label\n"})
refused("table_of_addresses", "a table of addresses", "reported",
        ["lists addresses such as ftp://", "download"],
        {"labels.csv": b"url,label\nftp://x.org/a.jpg,1\n"})
refused("table_and_archive", "a table whose pictures are in a ZIP archive", "unpack it first",
        ["`images.zip` is an archive", "but its picture a.jpg does not exist"],
        {"images.zip": b"PK\x03\x04", "labels.csv": b"file,label\na.jpg,1\n"})


@case("classes in the names of files, as in Dogs vs. Cats", "reported, with what to do",
      said=["Names begin with `cat` and `dog`"], samples=4)
def classes_in_names(to):
    to.photos(*(f"train/{name}.{i}.jpg" for name in ("cat", "dog") for i in range(2)))


@case("class folders two levels down, next to code", "the only folder with pictures is entered",
      classes=["cat", "dog"], samples=2, labels=[0, 1])
def class_folders_below_data(to):
    to.photos("data/images/cat/1.jpg", "data/images/dog/1.jpg")
    to.put("code/train.py")


@case("pictures without endings in class folders", "read by their content",
      classes=["cat", "dog"], samples=2, labels=[0, 1])
def pictures_without_endings(to):
    to.photos("cat/a1b2", "dog/c3d4")


@case("Oxford-IIIT Pet: masks in `annotations/trimaps`", "pictures with masks",
      said=["`images` with `annotations/trimaps`"], samples=2)
def masks_in_trimaps(to):
    to.photos("images/Abyssinian_1.jpg", "images/Abyssinian_2.jpg")
    for number in (1, 2):
        to.put(f"annotations/trimaps/Abyssinian_{number}.png", png(halves(1, 3)))
    to.put("annotations/list.txt", b"Abyssinian_1 1 1 1\n")


@case("masks of another size than their pictures", "counted, with the first one",
      said=["2 of 2 masks have another size than their pictures", "64x48, its mask 32x24"],
      samples=2)
def masks_of_another_size(to):
    for number in (1, 2):
        to.put(f"images/{number}.jpg", photo())
        to.put(f"masks/{number}.png", png(halves(0, 1, (32, 24))))


@case("a table among the training pictures, as Hugging Face's imagefolder", "it is found",
      said=["`metadata.csv` lists 2 samples"], samples=2, labels=[1, 0], classes=["0", "1"])
def table_among_pictures(to):
    to.photos("train/a.jpg", "train/b.jpg", "test/c.jpg")
    to.put("train/metadata.csv", b"file_name,label\na.jpg,1\nb.jpg,0\n")


@case("class folders `Cat` and `cat`", "reported", said=["differ only in case or spaces"],
      samples=2, classes=["Cat", "cat"])
def class_folders_that_look_alike(to):
    to.photos("Cat/1.jpg", "cat/2.jpg")


@case("`my cat.jpg 1` on each line", "the space after the path divides",
      said=["separated by the space after the path"], samples=2, labels=[1, 0],
      classes=["0", "1"], below="train.txt")
def spaces_in_paths(to):
    to.photos("my cat.jpg", "my dog.jpg")
    to.put("train.txt", b"my cat.jpg 1\nmy dog.jpg 0\n")


@case("`1 my cat.jpg` on each line", "the first space divides",
      said=["separated by the first space"], samples=2, labels=[1, 0], classes=["0", "1"],
      below="train.txt")
def class_before_the_path(to):
    to.photos("my cat.jpg", "my dog.jpg")
    to.put("train.txt", b"1 my cat.jpg\n0 my dog.jpg\n")


@case("a .npz with the arrays of all splits, as Keras' mnist.npz", "the training arrays",
      said=["`x_test` and `y_test` are left out"], samples=4, labels=[0, 1, 2, 3])
def npz_with_all_splits(to):
    images = np.zeros((4, 8, 8, 3), np.uint8)
    np.savez(to.path("mnist.npz"), x_train=images, y_train=np.arange(4), x_test=images[:2],
             y_test=np.arange(2))


@case("pictures of 16 bits in .npy", "read unchanged; nodes that do not suit are left out",
      said=["Without `random_resized_crop`", "u16 hwc here"], samples=2)
def npy_of_16_bits(to):
    np.save(to.path("x.npy"), np.zeros((2, 8, 8, 3), np.uint16))


@case("TFRecord files of two splits with a common beginning", "the training split",
      said=["of the split `train`; 1 of other splits is left out"], samples=2)
def tfrecord_splits(to):
    for split in ("train", "test"):
        records = [record(example({"image": SMALL, "label": [k]})) for k in range(2)]
        to.put(f"set-{split}.tfrecord-00000-of-00001", b"".join(records))


@case("containers of two formats", "one is read, the other is named",
      said=["1 file of WebDataset is left out"], samples=1)
def containers_of_two_formats(to):
    for name in ("a.tfrecord", "b.tfrecord"):
        to.put(name, record(example({"image": SMALL, "label": [1]})) if name[0] == "a" else b"")
    to.tar("c.tar", [("1.jpg", SMALL)])


@case("pictures and classes in LMDB: `1.jpg`, `1.cls`", "labels by their keys", samples=3,
      labels=[0, 1, 2], needs=["lmdb"])
def lmdb_labels_by_key(to):
    values = [(f"{number}.jpg", SMALL) for number in range(3)]
    database(to, [*values, *((f"{number}.cls", str(number).encode()) for number in range(3))])


@case("JSON objects in LMDB", "refused, with what to do",
      said=["its values are JSON objects, which are not read"], needs=["lmdb"])
def lmdb_of_json(to):
    database(to, [(str(number), json.dumps({"label": number}).encode()) for number in range(3)])


@case("zeros and ones in each .cls", "a label of three numbers", said=["label i64 3 (label)"],
      samples=2, values={"label": [[0, 1, 1], [1, 0, 0]]})
def vectors_in_parts(to):
    parts = (("a", b"0 1 1"), ("b", b"1 0 0"))
    to.tar("x.tar", [member for name, label in parts
                     for member in ((f"{name}.jpg", SMALL), (f"{name}.cls", label))])  # fmt: skip


@case("lists of classes in each .cls", "a vector of 4 classes",
      said=["`cls` holds several classes a sample", "4 classes"], samples=2)
def lists_in_parts(to):
    parts = (("a", b"[1, 3]"), ("b", b"[0]"))
    to.tar("x.tar", [member for name, label in parts
                     for member in ((f"{name}.jpg", SMALL), (f"{name}.cls", label))])  # fmt: skip
