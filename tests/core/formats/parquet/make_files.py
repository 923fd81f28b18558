#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Makes the Parquet files of tst_parquet.cpp and, as JSON, what they hold. Needs pyarrow.

Every file holds one of two tables in another form: with nulls (`null-*`), or without (`full-*`).
The values are written as the bytes that Millrace decodes, in hexadecimal; `null` is a null, and
`"within"` a list with a null.
"""

import datetime
import decimal
import json
import pathlib
import struct
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
ROWS = 30
GROUP = 18
PAGE = dict(write_batch_size=8, data_page_size=16)
# What is stored with every codec; the encodings are tried on all columns.
SOME = ["i32", "flag", "text", "few", "list", "image"]


def columns():
    """Name, type, value of a row, and its bytes as a NumPy type, or None for bytes."""
    step = np.random.default_rng(7).integers(-(2**31), 2**31, ROWS).tolist()
    text = [f"name {i // 3}/{i % 3}" * (i % 4) for i in range(ROWS)]
    return [
        ("i8", pa.int8(), lambda i: step[i] % 255 - 127, "<i1"),
        ("u8", pa.uint8(), lambda i: step[i] % 256, "<u1"),
        ("i16", pa.int16(), lambda i: step[i] % 65535 - 32767, "<i2"),
        ("u16", pa.uint16(), lambda i: step[i] % 65536, "<u2"),
        ("i32", pa.int32(), lambda i: step[i], "<i4"),
        ("u32", pa.uint32(), lambda i: step[i] % 2**32, "<i8"),
        ("i64", pa.int64(), lambda i: step[i] ** 2 * (-1) ** i, "<i8"),
        ("u64", pa.uint64(), lambda i: (step[i] ** 2 * 3) % 2**64, "<u8"),
        ("f16", pa.float16(), lambda i: np.float16(step[i] / 2**20), "<f2"),
        ("f32", pa.float32(), lambda i: float(np.float32(step[i] / 7)), "<f4"),
        ("f64", pa.float64(), lambda i: step[i] / 7, "<f8"),
        ("flag", pa.bool_(), lambda i: step[i] % 3 == 0, "<u1"),
        ("text", pa.string(), lambda i: text[i], None),
        ("data", pa.binary(), lambda i: text[-1 - i].encode() + bytes([i]), None),
        ("four", pa.binary(4), lambda i: b"ab" + bytes([i // 8, i]), None),
        ("few", pa.string(), lambda i: "abc"[i % 3], None),
        ("day", pa.date32(), lambda i: datetime.date(2020, 1, 1 + i % 28), "days"),
        ("list", pa.list_(pa.int32()), lambda i: [step[i], i, -i][: i % 4], "<i4"),
        ("triple", pa.list_(pa.float32()), lambda i: [i, i / 2, -1.5], "<f4"),
        ("bytes_list", pa.list_(pa.uint8()), lambda i: list(range(i % 9)), "<u1"),
    ]


def value(kind, one):
    """The bytes of a row's value in hexadecimal."""
    if one is None:
        return None
    if isinstance(one, list):
        if any(v is None for v in one):
            return "within"
        return np.array(one, kind).tobytes().hex()
    if kind == "days":
        return np.array((one - datetime.date(1970, 1, 1)).days, "<i4").tobytes().hex()
    if kind is None:
        return (one.encode() if isinstance(one, str) else one).hex()
    return np.array(one, kind).tobytes().hex()


def table(nulls):
    """The table, and its values by column."""
    arrays, fields, values = [], [], {}

    def add(name, kind, rows, shown):
        fields.append(pa.field(name, kind, nullable=nulls))
        arrays.append(pa.array(rows, kind))
        values.update(shown)

    for number, (name, kind, of, numpy) in enumerate(columns()):
        rows = [of(i) for i in range(ROWS)]
        if nulls:
            rows = [
                None if (i * (number + 3)) % 7 == 2 else v for i, v in enumerate(rows)
            ]
        if nulls and pa.types.is_list(kind):
            rows = [
                v[:1] + [None] if v and i % 5 == 4 else v for i, v in enumerate(rows)
            ]
        add(name, kind, rows, {name: [value(numpy, v) for v in rows]})

    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    rows = [{"bytes": bytes([255, i]), "path": f"{i}.jpg"} for i in range(ROWS)]
    if nulls:
        rows[3], rows[5] = None, {"bytes": b"", "path": None}
    of = {
        k: [None if r is None else value(None, r[k]) for r in rows]
        for k in ("bytes", "path")
    }
    add("image", picture, rows, {"image": of["bytes"], "image.path": of["path"]})

    deep = pa.struct([("a", pa.struct([("b", pa.int16())]))])
    rows = [{"a": {"b": i}} for i in range(ROWS)]
    if nulls:
        rows[0], rows[1], rows[2] = None, {"a": None}, {"a": {"b": None}}
    shown = [((r or {}).get("a") or {}).get("b") for r in rows]
    add("deep", deep, rows, {"deep.a.b": [value("<i2", v) for v in shown]})

    if not nulls:
        add_unreadable(add)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields)), values


def add_unreadable(add):
    """Columns that are refused by name."""
    one = decimal.Decimal("1.5")
    add("map", pa.map_(pa.string(), pa.int32()), [[("k", i)] for i in range(ROWS)], {})
    add(
        "lists",
        pa.list_(pa.list_(pa.int32())),
        [[[i], [1, 2]] for i in range(ROWS)],
        {},
    )
    add(
        "structs",
        pa.list_(pa.struct([("x", pa.int32())])),
        [[{"x": i}] for i in range(ROWS)],
        {},
    )
    add("money", pa.decimal128(9, 2), [one] * ROWS, {})


INTS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "day")
FLOATS = ("f16", "f32", "f64")
STRINGS = ("text", "data", "few")
CODECS = ("snappy", "gzip", "lz4", "zstd", "brotli")


def encodings(ints, floats, strings, fixed):
    of = {name: ints for name in INTS} | {name: floats for name in FLOATS}
    of |= {name: strings for name in STRINGS} | {"four": fixed, "flag": "RLE"}
    of |= {"list.list.element": ints, "bytes_list.list.element": ints}
    of |= {"triple.list.element": floats}
    return dict(use_dictionary=False, column_encoding=of)


def forms():
    """What pq.write_table is called with, by the name of a form."""
    for codec in CODECS:
        yield f"{codec}-1", dict(compression=codec, data_page_version="1.0")
        yield f"{codec}-2", dict(compression=codec, data_page_version="2.0")
    delta = encodings(
        "DELTA_BINARY_PACKED",
        "BYTE_STREAM_SPLIT",
        "DELTA_LENGTH_BYTE_ARRAY",
        "BYTE_STREAM_SPLIT",
    )
    split = encodings(
        "BYTE_STREAM_SPLIT", "PLAIN", "DELTA_BYTE_ARRAY", "DELTA_BYTE_ARRAY"
    )
    for version in ("1", "2"):
        more = dict(compression="none", data_page_version=version + ".0")
        yield f"dictionary-{version}", more
        yield f"plain-{version}", dict(use_dictionary=False, **more)
        yield f"delta-{version}", delta | more
        yield f"split-{version}", split | more
    yield "index", dict(compression="zstd", write_page_index=True)
    yield "sums", dict(compression="snappy", write_page_checksum=True)


def make_pictures():
    """Two shards as Hugging Face's `datasets` writes them, with bytes that begin like a JPEG."""
    names = {"names": ["cat", "dog"], "_type": "ClassLabel"}
    features = {"image": {"_type": "Image"}, "label": names}
    about = {"huggingface": json.dumps({"info": {"features": features}})}
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    fields = [("image", picture), ("label", pa.int64()), ("title", pa.string())]
    for shard in range(2):
        rows = range(3 * shard, 3 * shard + 3)
        image = [
            {"bytes": b"\xff\xd8\xff\xe0 picture %d" % i, "path": f"{i}.jpg"}
            for i in rows
        ]
        label = [None if i == 4 else i % 2 for i in rows]
        whole = pa.table(
            {"image": image, "label": label, "title": [f"title {i}" for i in rows]},
            schema=pa.schema(fields, metadata=about),
        )
        path = HERE / "pictures" / f"train-{shard:05}-of-00002.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(whole, path, row_group_size=2)


def png(width, height, grey):
    """A picture of one colour."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([grey]) * width) * height)
    parts = ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


def make_classes():
    """Labels in all forms: lists, texts and a number for each class; texts and reals for one."""
    lists = [[1, 3], [0], [], [2, 4, 1]]
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    image = [{"bytes": png(8, 6, 60 * i), "path": f"{i}.png"} for i in range(4)]
    weights = [[float(c in one) for c in range(5)] for one in lists]
    forms = {
        "list": pa.array(lists, pa.list_(pa.int32())),
        "text": pa.array([json.dumps(one) for one in lists]),
        "weights": pa.array(weights, pa.list_(pa.float32())),
        "names": pa.array(["fox", "cat", "", "fox"]),
        "captions": pa.array(["a fox", "one cat", "x" * 300, "night"]),
        "reals": pa.array([2.0, 0.0, None, 1.0]),
    }
    for name, labels in forms.items():
        path = HERE / "classes" / f"{name}.parquet"
        path.parent.mkdir(exist_ok=True)
        whole = pa.table({"image": pa.array(image, picture), "labels": labels})
        pq.write_table(whole, path, compression="none")


def main():
    make_pictures()
    make_classes()
    for nulls, kind in ((True, "null"), (False, "full")):
        whole, values = table(nulls)
        (HERE / f"{kind}.json").write_text(json.dumps(values) + "\n")
        for name, options in forms():
            if kind == "full" and not name.startswith(("delta-1", "split-2")):
                continue
            part = whole
            if name.split("-")[0] in CODECS or name in ("index", "sums"):
                part = whole.select(SOME)
            pq.write_table(
                part,
                HERE / f"{kind}-{name}.parquet",
                row_group_size=GROUP,
                write_statistics=False,
                store_schema=False,
                **PAGE,
                **options,
            )


if __name__ == "__main__":
    main()
