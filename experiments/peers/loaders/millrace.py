# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in Millrace, from Python, as a training script has it."""

import millrace as engine

WORKS = ("photos", "pairs", "masks", "augmented", "records", "single_records")


def chain(*nodes):
    """Return the pipeline of nodes that stand in a row, as (kind, params), each kind once."""
    names = [kind for kind, _ in nodes]
    return {
        "format_version": 1,
        "seed": 1,
        "nodes": [
            {"id": name, "kind": kind, "params": params}
            for name, (kind, params) in zip(names, nodes)
        ],
        "wires": [{"from": a, "to": b} for a, b in zip(names, names[1:])],
    }


def head(work, data):
    if work in ("photos", "augmented"):
        return [("image_folder", {"paths": [str(data / "train")]})]
    if work == "pairs":
        low, high = str(data / "low"), str(data / "high")
        return [("paired_folders", {"input": low, "target": high, "pair": "target"})]
    images, labels = str(data / "images"), str(data / "labels")
    return [("paired_folders", {"input": images, "target": labels, "pair": "mask"})]


BODY = {
    "photos": [
        ("random_resized_crop", {"height": 224, "width": 224}),
        ("flip", {}),
        ("normalise", {}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
    ],
    "augmented": [
        ("resize", {"height": 150, "width": 150}),
        (
            "affine",
            {
                "rotation": 40,
                "shift_x": 0.2,
                "shift_y": 0.2,
                "shear": 11.5,
                "zoom_min": 0.8,
                "zoom_max": 1.2,
                "border": "edge",
            },
        ),
        ("flip", {}),
        ("channel_shift", {"range": 20, "per_channel": False}),
        ("precision", {"dtype": "f32", "layout": "nhwc"}),
    ],
    "pairs": [
        ("random_crop", {"height": 48, "width": 48}),
        ("flip", {}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
    ],
    "masks": [
        # Pictures of other sizes would be no batch: this says which one they have.
        ("centre_crop", {"height": 360, "width": 480}),
        ("flip", {}),
        ("precision", {"dtype": "f32", "layout": "nhwc"}),
        ("one_hot", {"classes": 12}),
    ],
}


# By kind of piece: own, the opponent's negated, and the same of the squares attacked.
CHANNELS = [
    text for k in range(6) for text in (f"{k}", f"-{6 + k}", f"{12 + k}", f"-{18 + k}")
]
RECORD = [
    ("example_parse", {"keys": ["packed=d:u8:194", "score=s:i64:scalar"]}),
    (
        "bit_unpack",
        {
            "field": "packed",
            "parts": ["board=0:8x8x24:f64", "flags=1536:10:f64", "mate=1546:scalar"],
        },
    ),
    ("select", {"field": "board", "channels": CHANNELS}),
    (
        "expression",
        {
            "results": [
                "score=mate ? sign(score) * (1 - abs(score) / 100) : tanh(score / 1000)"
            ],
            "dtype": "f64",
        },
    ),
]


def records(data, threads, batch, single):
    ahead = [
        ("tfrecord", {"paths": [str(data)], "content": "bytes"}),
        ("shuffle", {"mode": "window", "window": 10000}),
    ]
    batched = [("batch", {"size": batch, "drop_last": True})]
    workers = [("workers", {"count": threads})]
    work = [*workers, *RECORD, *batched] if single else [*batched, *workers, *RECORD]
    return chain(*ahead, *work, ("prefetch", {"batches": 2}), ("drain", {}))


def pictures(work, data, threads, batch):
    return chain(
        *head(work, data),
        ("shuffle", {}),
        ("workers", {"count": threads}),
        ("decode", {}),
        *BODY[work],
        ("batch", {"size": batch, "drop_last": True}),
        ("prefetch", {"batches": 2}),
        ("drain", {}),
    )


def loader(work, data, threads, batch):
    if work.endswith("records"):
        pipeline = records(data, threads, batch, work.startswith("single"))
    else:
        pipeline = pictures(work, data, threads, batch)
    with engine.Loader(pipeline) as batches:
        while True:
            for arrays in batches:
                yield len(next(iter(arrays.values())))
