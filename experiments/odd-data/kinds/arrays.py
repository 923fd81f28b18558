# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Arrays in NumPy's and HDF5's files."""

import io
import struct

import numpy as np
from case import case

REALS = np.arange(40, dtype="<f8")


def array(to, header, body, version=(1, 0), align=64, name="x.npy"):
    """An .npy file with this header, padded to a multiple of `align`, if it is not 0."""
    text = header.encode()
    head = 10 if version[0] == 1 else 12
    size = len(text) + 1
    size += -(head + size) % align if align else 0
    length = struct.pack("<H" if version[0] == 1 else "<I", size)
    padding = b" " * (size - len(text) - 1) + b"\n"
    to.put(name, b"\x93NUMPY" + bytes(version) + length + text + padding + body)


def header(kind, shape, fortran=False):
    return f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}"


@case("an array that a Fortran program wrote: version 2, no padding",
      "refused for the Fortran order alone, with the remedy",
      said=["Fortran order", "np.ascontiguousarray"])
def n01_fortran_writer(to):
    array(to, header("<f8", "(10,4,)", True), REALS.tobytes(), (2, 0), 0)


@case("truth values", "0 and 1", said=["features u8 2"], samples=4,
      values={"features": [[1, 0]] * 4})
def n02_bool(to):
    array(to, header("|b1", (4, 2)), b"\1\0" * 4)


@case("text", "refused, with what to save instead", said=["`<U3`", "numpy.unique"])
def n03_text(to):
    array(to, header("<U3", "(2,)"), "catdog".encode("utf-32-le"))


@case("a shape of 2^32 x 2^32 x 8", "refused; nothing is allocated", said=["error"])
def n04_overflow(to):
    array(to, header("<f8", (4294967296, 4294967296, 8)), bytes(64))


@case("a header whose keys have another order", "read", samples=4,
      values={"features": [[0, 1], [2, 3], [4, 5], [6, 7]]})
def n05_order_of_keys(to):
    text = "{'shape': (4, 2), 'fortran_order': False, 'descr': '<i2'}"
    array(to, text, np.arange(8, dtype="<i2").tobytes())


@case("a header of 64 KB", "read", samples=4, values={"features": REALS.reshape(4, 10)})
def n06_long_header(to):
    array(to, header("<f8", (4, 10)), REALS.tobytes(), (2, 0), 65536)


@case("floats of 16 bits", "read", said=["features f16 10"], samples=4,
      values={"features": REALS.reshape(4, 10)})
def n07_half(to):
    array(to, header("<f2", (4, 10)), REALS.astype("<f2").tobytes())


@case("an array in Fortran order among good ones", "it is named; the others are read",
      said=["b.npy", "Fortran"], samples=8, values={"features": np.ones((8, 8))})
def one_bad_array(to):
    for name, order in (("a", "C"), ("b", "F"), ("c", "C")):
        out = io.BytesIO()
        np.save(out, np.asarray(np.ones((4, 8)), order=order))
        to.put(f"{name}.npy", out.getvalue())


@case("`x_train.npy`, `y_train.npy` and the same for `test`", "samples with their labels",
      said=["Samples in `x_train.npy`, labels in `y_train.npy`", "2 files are not used"],
      samples=4, labels=[0, 1, 2, 1])
def arrays_with_labels(to):
    for part, count in (("test", 2), ("train", 4)):
        for name, values in (("x", np.zeros((count, 8, 8, 3), np.uint8)),
                             ("y", np.array([0, 1, 2, 1])[:count])):
            np.save(to.path(f"{name}_{part}.npy"), values)


@case("an .npz with labels as floats in a column", "labels",
      said=["label i64 scalar (label)"], samples=8, labels=[0, 1, 2, 0, 1, 2, 0, 1])
def float_labels(to):
    out = io.BytesIO()
    pixels = np.zeros((8, 16, 16, 3), np.uint8)
    np.savez(out, x=pixels, y=np.arange(8).reshape(8, 1).astype("f4") % 3)
    to.put("xy.npz", out.getvalue())


@case("HDF5 with Blosc, bitshuffle and Zstandard", "each filter is named, with the remedy",
      said=["bitshuffle (number 32008)", "Blosc", "Zstandard", "HDF5_PLUGIN_PATH"],
      needs=["h5py", "hdf5plugin"])
def h01_filters(to):
    import h5py
    import hdf5plugin

    pixels = np.random.default_rng(7).integers(0, 255, (8, 16, 16, 3), np.uint8)
    filters = {"blosc": hdf5plugin.Blosc(), "bitshuffle": hdf5plugin.Bitshuffle(),
               "zstd": hdf5plugin.Zstd()}  # fmt: skip
    for name, compression in filters.items():
        with h5py.File(to.path(f"{name}.h5"), "w") as file:
            options = {"chunks": (2, 16, 16, 3), "compression": compression}
            file.create_dataset("image", data=pixels, **options)


@case("HDF5 with labels as floats in a column, and names of classes", "labels",
      said=["label i64 scalar (label)"], samples=8, labels=list(range(8)), needs=["h5py"])
def h02_labels(to):
    import h5py

    with h5py.File(to.path("x.h5"), "w") as file:
        file["x"] = np.zeros((8, 16, 16, 3), np.uint8)
        file["y"] = np.arange(8).reshape(8, 1).astype("f4")
        file["classes"] = np.array([b"a", b"b"])
        file["n"] = 8
