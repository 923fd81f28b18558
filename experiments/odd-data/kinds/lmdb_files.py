# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""LMDB databases."""

import pickle

import numpy as np
from case import case
from draw import SMALL


def database(to, values):
    import lmdb

    environment = lmdb.open(str(to.root), map_size=1 << 24)
    with environment.begin(write=True) as transaction:
        for key, value in values:
            transaction.put(key.encode(), value)
    environment.close()


@case("random keys without `__len__`, as LSUN has them", "4 pictures", samples=4, needs=["lmdb"])
def l01_random_keys(to):
    keys = np.random.default_rng(7).bytes(80).hex()
    database(to, [(keys[40 * i : 40 * i + 40], SMALL) for i in range(4)])


@case("a key `length`", "no sample and no failure", said=["1 left out", "length"], samples=4,
      needs=["lmdb"])
def l02_length(to):
    values = [(str(number), SMALL) for number in range(4)]
    database(to, [*values, ("length", pickle.dumps(4))])


@case("pictures and their texts: `image-1`, `label-1`, as for text recognition",
      "8 samples, each with its text", said=["text encoded"], samples=8, needs=["lmdb"])
def pictures_and_texts(to):
    values = [(f"image-{number:09}", SMALL) for number in range(1, 9)]
    values += [(f"label-{number:09}", b"word") for number in range(1, 9)]
    database(to, [*values, ("num-samples", b"8")])


@case("one value that is not a picture among 39", "it is named, and fails alone",
      said=["1 of the 40 values examined is not a picture"], samples=40, failures={"one_value_differs#17": "not an image"}, needs=["lmdb"])
def one_value_differs(to):
    values = [(f"{number:02}", b"text" if number == 17 else SMALL) for number in range(40)]
    database(to, values)
