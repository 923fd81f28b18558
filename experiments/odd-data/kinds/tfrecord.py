# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""TFRecord files of tf.train.Example."""

import gzip
import struct
import zlib

from case import case
from draw import SMALL, example, masked, message, record

PICTURE = "image/encoded"
LABEL = "image/class/label"


def labelled(labels, packed=True):
    return [record(example({PICTURE: SMALL, LABEL: [label]}, packed)) for label in labels]


FOUR = b"".join(labelled(range(4)))


@case("gzip in a file named .tfrecord", "4 records, by the content", said=["is compressed"],
      samples=4, labels=[0, 1, 2, 3])
def t01_gzip_without_ending(to):
    to.put("train.tfrecord", gzip.compress(FOUR))


@case("plain records in a file named .gz", "4 records, by the content", samples=4,
      labels=[0, 1, 2, 3])
def t02_plain_named_gz(to):
    to.put("train.tfrecord.gz", FOUR)


@case("zlib", "4 records", samples=4, labels=[0, 1, 2, 3])
def t03_zlib(to):
    to.put("train.tfrecord.zz", zlib.compress(FOUR))


@case("two gzip members in a file", "4 records", samples=4, labels=[0, 1, 2, 3])
def t04_gzip_members(to):
    half = len(FOUR) // 2
    to.put("train.tfrecord.gz", gzip.compress(FOUR[:half]) + gzip.compress(FOUR[half:]))


@case("one record whose label list is empty", "it fails, the others keep their labels",
      said=["1 of the 3 records", f"`{LABEL}`"], samples=3, labels=[1, 2],
      failures={"train.tfrecord#1": "0 elements"})
def t05_empty_list(to):
    records = [record(example({PICTURE: SMALL, LABEL: labels})) for labels in ([1], [], [2])]
    to.put("train.tfrecord", b"".join(records))


@case("1, 3, 0 and 2 boxes in a record", "the lists of changing length are named with their range",
      said=["image/object/bbox/xmin", "values a record"], samples=4)
def t06_boxes(to):
    keys = ("image/object/bbox/xmin", "image/object/class/label")
    records = [example({PICTURE: SMALL, keys[0]: [0.1] * n, keys[1]: [1] * n})
               for n in (1, 3, 0, 2)]
    to.put("train.tfrecord", b"".join(map(record, records)))


@case("a record whose length is 2^40", "the first record stays; the other is named by its byte",
      said=["ends within the record at byte 735"], samples=1, labels=[0])
def t08_long_record(to):
    length = struct.pack("<Q", 1 << 40)
    to.put("train.tfrecord", labelled([0])[0] + length + masked(length) + b"x" * 100)


@case("integers that are not packed", "labels 0 to 3", samples=4, labels=[0, 1, 2, 3])
def t09_unpacked_integers(to):
    to.put("train.tfrecord", b"".join(labelled(range(4), packed=False)))


@case("an empty record among 8 others", "it fails, the others have their labels",
      said=["is not a tf.train.Example", "train.tfrecord#4"], samples=9,
      labels=[0, 1, 2, 3, 0, 1, 2, 3], failures={"train.tfrecord#4": PICTURE})
def t10_empty_record(to):
    to.put("train.tfrecord", FOUR + record(b"") + FOUR)


@case("records of tf.train.SequenceExample", "refused by its name", said=["SequenceExample"])
def sequences(to):
    lists = message(2, message(1, message(1, b"frames") + message(2, message(1, b""))))
    to.put("train.tfrecord", record(message(1, b"") + lists) * 3)


@case("a key that one of four records lacks", "its share is reported, and this one fails",
      said=["1 of the 4 records"], samples=4, labels=[1, 2, 3],
      failures={"train.tfrecord#1": LABEL})
def key_that_is_missing(to):
    features = [{PICTURE: SMALL, LABEL: [1]}, {PICTURE: SMALL},
                {PICTURE: SMALL, LABEL: [2]}, {PICTURE: SMALL, LABEL: [3]}]
    to.put("train.tfrecord", b"".join(record(example(entry)) for entry in features))


@case("a label key that one of four records has", "no label; the key is named with its share",
      said=[f"{LABEL} (int64, in 1 of the 4 records)"], samples=4)
def key_that_is_rare(to):
    features = [{PICTURE: SMALL, LABEL: [1]}, *[{PICTURE: SMALL}] * 3]
    to.put("train.tfrecord", b"".join(record(example(entry)) for entry in features))


@case("two labels in one of three records", "this record fails, the others have their labels",
      said=["1 of the 3 records examined has several values"], samples=3, labels=[1, 3],
      failures={"train.tfrecord#1": LABEL})
def two_labels_in_one_record(to):
    records = [example({PICTURE: SMALL, LABEL: label}) for label in ([1], [2, 4], [3])]
    to.put("train.tfrecord", b"".join(map(record, records)))


@case("a label that is a float in one of three records", "this record fails",
      said=["1 of the 3 records examined has another type"], samples=3, labels=[1, 3],
      failures={"train.tfrecord#1": LABEL})
def type_that_changes(to):
    values = ([1], [2.0], [3])
    records = [example({PICTURE: SMALL, LABEL: value}) for value in values]
    to.put("train.tfrecord", b"".join(map(record, records)))


LISTS = [[1, 3], [0], [], [2, 1, 0]]


@case("several classes a record, one record without any",
      "the list is the label, and a node makes a vector of 4 classes of it", samples=4,
      said=[f"`{LABEL}` holds several classes a sample", "`one_hot` makes a vector", "4 classes"])
def several_classes_in_records(to):
    records = [example({PICTURE: SMALL, LABEL: label}) for label in LISTS]
    to.put("train.tfrecord", b"".join(map(record, records)))


@case("a label of four zeros and ones in each record", "a label of four numbers",
      said=["label i64 4 (label)"], samples=4,
      values={"label": [[int(k in label) for k in range(4)] for label in LISTS]})
def vector_of_classes(to):
    vectors = [[int(k in label) for k in range(4)] for label in LISTS]
    records = [example({PICTURE: SMALL, LABEL: label}) for label in vectors]
    to.put("train.tfrecord", b"".join(map(record, records)))
