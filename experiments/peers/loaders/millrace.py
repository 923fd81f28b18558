# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The work in Millrace, from Python, as a training script has it."""

import millrace as engine

WORKS = ("photos", "pairs", "masks")


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
    if work == "photos":
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


def loader(work, data, threads, batch):
    pipeline = chain(
        *head(work, data),
        ("shuffle", {}),
        ("workers", {"count": threads}),
        ("decode", {}),
        *BODY[work],
        ("batch", {"size": batch, "drop_last": True}),
        ("prefetch", {"batches": 2}),
        ("drain", {}),
    )
    with engine.Loader(pipeline) as batches:
        while True:
            for arrays in batches:
                yield len(next(iter(arrays.values())))
