# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Labels in every format: real numbers, whole numbers that are stored as reals, names."""

import io
import json
import struct

import numpy as np
from case import case
from draw import SMALL, example, halves, png, record
from kinds import lmdb_files, recordio

AGES = [0.5, 36.25, -1.5, 41.0, 8.0, 90.0]
NAMES = ["dog", "cat", "dog", "cat", "dog", "cat"]
CLASSES = [1, 0, 1, 0, 1, 0]
PIXELS = np.zeros((6, 8, 8, 3), "u1")


def tfrecord(to, labels):
    features = [[float(label)] if not isinstance(label, str) else label.encode() for label in labels]
    records = [record(example({"image/encoded": SMALL, "image/label": one})) for one in features]
    to.put("train.tfrecord", b"".join(records))


def webdataset(to, labels):
    members = []
    for number, label in enumerate(labels):
        text = label if isinstance(label, str) else repr(float(label))
        members += [(f"{number}.jpg", SMALL), (f"{number}.cls", f"{text}\n".encode())]
    to.tar("x.tar", members)


def mds(to, labels):
    texts = isinstance(labels[0], str)
    columns = {"column_names": ["img", "label"], "column_sizes": [None, None if texts else 8],
               "column_encodings": ["jpeg", "str" if texts else "float64"], "compression": None,
               "format": "mds", "hashes": [], "size_limit": 1 << 26, "version": 2}  # fmt: skip
    config = json.dumps(columns, sort_keys=True).encode()
    bodies = []
    for label in labels:
        value = label.encode() if texts else struct.pack("<d", label)
        lengths = [len(SMALL), len(value)] if texts else [len(SMALL)]
        bodies.append(struct.pack(f"<{len(lengths)}I", *lengths) + SMALL + value)
    offsets = [4 + 4 * (len(bodies) + 1) + len(config)]
    for body in bodies:
        offsets.append(offsets[-1] + len(body))
    head = struct.pack(f"<{len(offsets) + 1}I", len(bodies), *offsets)
    to.put("shard.00000.mds", head + config + b"".join(bodies))


def parquet(to, labels):
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"image": [SMALL] * len(labels), "label": labels})
    pyarrow.parquet.write_table(table, to.path("x.parquet"))


def hdf5(to, labels):
    import h5py

    with h5py.File(to.path("x.h5"), "w") as file:
        file["images"], file["labels"] = PIXELS, np.asarray(labels, "f4")


def npz(to, labels):
    out = io.BytesIO()
    np.savez(out, images=PIXELS, labels=np.asarray(labels, "f8"))
    to.put("x.npz", out.getvalue())


def npy(to, labels):
    np.save(to.path("images.npy"), PIXELS)
    np.save(to.path("labels.npy"), np.asarray(labels, "f4"))


def table(to, labels):
    to.photos(*(f"img/{number}.jpg" for number in range(len(labels))))
    rows = "".join(f"img/{number}.jpg,{label}\n" for number, label in enumerate(labels))
    to.put("labels.csv", f"file,label\n{rows}".encode())


def lmdb(to, labels):
    values = [(f"image-{number}", SMALL) for number in range(len(labels))]
    values += [(f"label-{number}", str(label).encode()) for number, label in enumerate(labels)]
    lmdb_files.database(to, values)


def recordio_(to, labels):
    recordio.draw(to, [recordio.record(0, label, i, SMALL) for i, label in enumerate(labels)])


FORMATS = {
    "tfrecord": (tfrecord, []),
    "webdataset": (webdataset, []),
    "mds": (mds, []),
    "parquet": (parquet, ["pyarrow"]),
    "hdf5": (hdf5, ["h5py"]),
    "npz": (npz, []),
    "npy": (npy, []),
    "table": (table, []),
    "lmdb": (lmdb, ["lmdb"]),
    "recordio": (recordio_, []),
}


def add(format, draw, needs):
    case(f"{format}: a label of real numbers, such as an age", "the field `label`, as stored",
         name=f"real_labels_{format}", samples=6, values={"label": AGES},
         needs=needs)(lambda to: draw(to, AGES))  # fmt: skip
    case(f"{format}: class numbers that are stored as reals", "class numbers",
         name=f"whole_labels_{format}", samples=6, labels=CLASSES,
         values={"label": CLASSES}, needs=needs)(lambda to: draw(to, [float(c) for c in CLASSES]))  # fmt: skip
    if format in ("tfrecord", "webdataset", "mds", "parquet", "table"):
        case(f"{format}: names of classes", "classes with these names",
             name=f"named_labels_{format}", samples=6, classes=["cat", "dog"], labels=CLASSES,
             values={"label": CLASSES}, needs=needs)(lambda to: draw(to, NAMES))  # fmt: skip


for name, (function, modules) in FORMATS.items():
    add(name, function, modules)


@case("arrays of pictures and of masks in two files", "pairs of a picture and its mask",
      said=["masks in `masks.npy`"], samples=3, masks={"images.npy#2": [[2] * 8] * 8})
def arrays_of_masks(to):
    np.save(to.path("images.npy"), PIXELS[:3])
    masks = np.repeat(np.arange(3, dtype="u1"), 64).reshape(3, 8, 8)
    np.save(to.path("masks.npy"), masks)


@case("`imgs.npz` and `labels.npz`, as KMNIST has them", "pictures with labels", samples=6,
      values={"label": CLASSES})
def arrays_in_two_npz(to):
    np.savez(to.path("k-train-imgs.npz"), PIXELS[..., 0])
    np.savez(to.path("k-train-labels.npz"), np.asarray(CLASSES, "u1"))


@case("texts in `.txt` of WebDataset that repeat", "classes with these names", samples=6,
      classes=["cat", "dog"], labels=CLASSES)
def repeated_texts(to):
    members = []
    for number, name in enumerate(NAMES):
        members += [(f"{number}.jpg", SMALL), (f"{number}.txt", f"{name}\n".encode())]
    to.tar("x.tar", members)


@case("captions in `.txt` of WebDataset", "no label; the part is named", samples=6,
      said=["unused parts: txt"], unsaid=["label"])
def captions_of_pictures(to):
    members = []
    for number, name in enumerate(NAMES):
        text = f"a {name} on day {number}"
        members += [(f"{number}.jpg", SMALL), (f"{number}.txt", text.encode())]
    to.tar("x.tar", members)


@case("labelme's JSON next to each picture", "boxes of two classes", samples=3,
      said=["The objects are in the format of labelme"], classes=["cat", "dog"])
def labelme(to):
    to.photos("0.jpg", "1.jpg", "2.jpg")
    for number, name in enumerate(("cat", "dog", "cat")):
        shape = {"label": name, "points": [[1, 2], [9, 2], [5, 8]], "shape_type": "polygon"}
        file = {"shapes": [shape], "imagePath": f"{number}.jpg", "imageWidth": 64, "imageHeight": 48}
        to.put(f"{number}.json", json.dumps(file).encode())


@case("landmarks in .pts next to the pictures", "pictures; the landmarks are named, with what to do",
      samples=3, said=["is a list of landmarks, which is not read"])
def landmarks(to):
    to.photos("0.jpg", "1.jpg", "2.jpg")
    for number in range(3):
        to.put(f"{number}.pts", b"version: 1\nn_points: 1\n{\n1.0 2.0\n}\n")


@case("a folder for each patch with a file for each band", "the folders may be no classes", samples=6,
      said=["If they are the bands of one sample"])
def bands_of_patches(to):
    to.photos(*(f"S2A_{patch}/S2A_{patch}_B0{band}.jpg" for patch in range(3) for band in (2, 3)))


@case("`1.jpg` with the mask `001.png`", "pairs, and a note that says what differs", samples=3,
      said=["zeros before numbers"])
def zeros_in_names(to):
    to.photos(*(f"images/{number}.jpg" for number in range(1, 4)))
    for number in range(1, 4):
        to.put(f"masks/{number:03}.png", png(halves(0, 1)))


@case("tags that spaces divide", "several classes a sample", samples=6,
      classes=["agriculture", "clear", "cloudy", "haze", "primary", "water"],
      said=["several classes a sample in column `tags`, divided by spaces"])
def tags_with_spaces(to):
    tags = ["haze primary", "agriculture clear primary water", "clear primary", "cloudy",
            "haze primary water", "clear"]  # fmt: skip
    to.photos(*(f"train/{number}.jpg" for number in range(6)))
    rows = "".join(f"{number}.jpg,{tag}\n" for number, tag in enumerate(tags))
    to.put("train.csv", f"image_name,tags\n{rows}".encode())


@case("a folder for each sample, with a mask for each object, as in the Data Science Bowl",
      "not read, and how to arrange it", said=["of one sample, which are not read"])
def folders_of_samples(to):
    for sample in ("0abc", "1abc", "2abc"):
        to.photos(f"stage1_train/{sample}/images/{sample}.png")
        to.put(f"stage1_train/{sample}/masks/0.png", png(halves(0, 255)))
        to.put(f"stage1_train/{sample}/masks/1.png", png(halves(255, 0)))
