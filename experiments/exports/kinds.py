# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Every node kind in a short pipeline, compared as in pixels.py.

Also every format that `millrace convert` writes, from one set of photos.
"""

import json

from cases import Case
from pixels import table

PHOTOS = ("image_folder", {"paths": ["sample:imagenet"]})
STREET = (
    "paired_folders",
    {
        "input": "sample:camvid/images",
        "target": "sample:camvid/labels",
        "pair": "mask",
    },
)
PAIRS = (
    "paired_folders",
    {"input": "sample:pairs984/low", "target": "sample:pairs984/high"},
)
WORKERS = ("workers", {"count": 2})
DECODE = ("decode", {"scaling": "full"})
SIZE = {"height": 96, "width": 128}
RESIZE = ("resize", SIZE)
CROP = ("centre_crop", {"height": 201, "width": 151})
BATCH = ("batch", {"size": 8})
END = ("drain", {})


def photos(*nodes, batch=BATCH, after=()):
    return [PHOTOS, WORKERS, DECODE, *nodes, batch, *after, END]


def street(*nodes, batch=BATCH):
    return [STREET, WORKERS, DECODE, *nodes, batch, END]


def pairs(*nodes):
    return [PAIRS, WORKERS, DECODE, *nodes, BATCH, END]


PACKED = ["packed=d:u8:194", "score=s:i64:scalar"]


def records(params, *nodes):
    source = ("tfrecord", {"paths": ["sample:chess"], **params})
    return [source, ("take", {"count": 64}), WORKERS, *nodes, BATCH, END]


def objects(count):
    source = ("detection", {"path": "sample:objects"})
    padded = ("pad_objects", {"count": count})
    return [source, WORKERS, DECODE, RESIZE, padded, BATCH, END]


def resize(**more):
    return ("resize", {**SIZE, **more})


def pad(border, **more):
    sides = {"left": 9, "top": 2, "right": 3, "bottom": 44}
    return ("pad", {**sides, "border": border, **more})


# Additional tolerance of a pipeline in levels of 255, for all targets: f16 has 11
# bits (half a step is 0.13 levels at a normalised 2.6); MixUp adds the errors of
# two pictures and rounds again. EXTRA of targets/TARGET.py is for one target.
EXTRA = {"f16 of normalised": 0.13, "f16": 0.13, "mixup": 1.0}

CHAINS = {
    "bytes": photos(CROP),
    "grey": [
        PHOTOS,
        WORKERS,
        ("decode", {"scaling": "full", "form": "grey"}),
        CROP,
        BATCH,
        END,
    ],
    "resize": photos(RESIZE),
    "objects, padded": objects(100),
    "objects, cut off": objects(2),
    "resize cover": photos(resize(mode="cover")),
    "resize fit": photos(resize(mode="fit", fill=[10, 20, 30])),
    "resize without antialias": photos(resize(antialias=False)),
    "resize bicubic": photos(resize(filter="bicubic")),
    "resize nearest": photos(resize(filter="nearest")),
    "resize mask": street(RESIZE, ("one_hot", {"classes": 12})),
    "resize mask fit": street(
        resize(mode="fit", mask_fill=255),
        (
            "one_hot",
            {"classes": 12, "ignore_index": 255, "masks": "index"},
        ),
    ),
    "resized crop with mask": street(
        ("random_resized_crop", SIZE),
        ("one_hot", {"classes": 12, "dtype": "u8"}),
    ),
    "resized crop of pairs": pairs(
        ("random_resized_crop", {"height": 32, "width": 32})
    ),
    "resize pairs": pairs(
        ("resize", {"height": 40, "width": 32, "mode": "cover"})
    ),
    "crop and pad pairs": pairs(
        ("crop", {"x": 3, "y": 5, "width": 40, "height": 30}),
        ("pad", {"left": 1, "top": 2, "right": 3, "border": "reflect"}),
    ),
    "pad wrap": photos(RESIZE, pad("wrap")),
    "pad symmetric": photos(RESIZE, pad("symmetric")),
    "pad reflect": photos(RESIZE, pad("reflect")),
    "pad edge": photos(RESIZE, pad("edge")),
    "pad constant": photos(RESIZE, pad("constant", fill=[1, 2, 3])),
    "crop with pad": photos(
        ("random_crop", {"height": 600, "width": 600, "pad": True, "fill": [5]})
    ),
    "affine": photos(
        RESIZE,
        ("affine", {"zoom_min": 0.5, "zoom_max": 0.8, "border": "reflect"}),
    ),
    "affine with mask": street(
        CROP,
        (
            "affine",
            {
                "zoom_min": 0.5,
                "zoom_max": 0.8,
                "fill": [9, 8, 7],
                "mask_fill": 3,
            },
        ),
    ),
    "blur": photos(RESIZE, ("blur", {"kernel": 7})),
    "grayscale": photos(RESIZE, ("grayscale", {"probability": 1})),
    "erase": photos(RESIZE, ("erase", {"probability": 1})),
    "jitter, shift": photos(RESIZE, ("jitter", {}), ("channel_shift", {})),
    "normalise by one number": photos(
        RESIZE,
        ("normalise", {"mean": [0.5], "deviation": [0.25]}),
        ("precision", {"layout": "nchw"}),
    ),
    "f16 of normalised": photos(
        RESIZE, ("normalise", {}), ("precision", {"dtype": "f16"})
    ),
    "f16": photos(RESIZE, ("precision", {"dtype": "f16", "layout": "nhwc"})),
    "mixup": photos(RESIZE, ("one_hot", {}), after=[("mixup", {})]),
    "cutmix": photos(
        RESIZE,
        ("precision", {}),
        ("one_hot", {}),
        after=[("cutmix", {})],
    ),
    "take, repeat, shard": [
        PHOTOS,
        ("shuffle", {}),
        ("take", {"count": 20, "skip": 3}),
        ("repeat", {"count": 3}),
        ("shard", {"rank": 1, "world": 4}),
        WORKERS,
        DECODE,
        RESIZE,
        BATCH,
        END,
    ],
    "split": [
        PHOTOS,
        ("split", {"share": 0.4}),
        ("shard", {"rank": 1, "world": 4, "uneven": "drop"}),
        WORKERS,
        DECODE,
        RESIZE,
        BATCH,
        END,
    ],
    "balance": [
        PHOTOS,
        ("balance", {"to": "mean"}),
        WORKERS,
        DECODE,
        RESIZE,
        BATCH,
        END,
    ],
    "caches": [
        PHOTOS,
        WORKERS,
        ("memory_cache", {}),
        DECODE,
        RESIZE,
        ("memory_cache", {}),
        BATCH,
        END,
    ],
    "disk cache": photos(RESIZE, ("disk_cache", {"path": "kept"})),
    "records by keys": records({"keys": PACKED}),
    "examples": records({"content": "bytes"}, ("example_parse", {"keys": PACKED})),
    "bits": records(
        {"keys": PACKED},
        ("bit_unpack", {"field": "packed", "parts": ["board=0:8x8x24", "mate=1546:1"]}),
        ("select", {"field": "board", "channels": ["3..5", "0"], "keep": ["board"]}),
    ),
    "raw": records(
        {"keys": PACKED},
        ("raw_to_array", {"field": "packed", "as": "i16:97", "order": "big"}),
    ),
    "expression": records(
        {"keys": PACKED},
        ("select", {"keep": ["score"]}),
        (
            "expression",
            {
                "results": [
                    "part=(score > 10 && score < 500) - 2^-(score/1000)",
                    "score=max(ln(abs(score) + 1), part, 2) / -3",
                ]
            },
        ),
    ),
    "padded batch": street(
        CROP, batch=("batch", {"size": 4, "pad_height": 210, "pad_width": 160})
    ),
    "features": [("synthetic", {"count": 40}), WORKERS, BATCH, END],
    "float features": [
        ("synthetic", {"count": 40, "element": "f32", "classes": 0}),
        WORKERS,
        BATCH,
        END,
    ],
    "made-up pictures": [
        (
            "synthetic",
            {"count": 40, "content": "image", "height": 33, "width": 21},
        ),
        WORKERS,
        ("identity", {}),
        BATCH,
        END,
    ],
}


FORMATS = ("tfrecord", "webdataset", "lmdb", "mds", "recordio", "hdf5", "numpy")


def containers(bench, folder):
    """Yield the same photos in every format, with the pipeline that `convert` proposes."""
    photographs = folder / "photos"
    bench.millrace("sample-data", photographs, "--kind", "imagenet", "--count", 40)
    for name in FORMATS:
        file = folder / f"source_{name}.millrace.json"
        raw = name == "numpy"
        flags = ["--resize", "64x48", "--raw"] if raw else []
        bench.millrace(
            "convert", photographs, folder / name, "--to", name, "-o", file, *flags
        )
        nodes = json.loads(file.read_text())["nodes"]
        (params,) = [node["params"] for node in nodes if node["kind"] == name]
        work = [] if raw else [DECODE, RESIZE]
        yield name, [(name, params), WORKERS, *work, BATCH, END]


def converted(bench, folder, kind):
    """The chains of photos, with the photos in files of this kind."""
    photographs, file = folder / "photos", folder / "photos.millrace.json"
    bench.millrace("sample-data", photographs, "--kind", "imagenet", "--count", 40)
    bench.millrace(
        "convert", photographs, folder / "shards", "--to", kind,
        "--shard-size", "1M", "-o", file,
    )  # fmt: skip
    (params,) = [
        node["params"]
        for node in json.loads(file.read_text())["nodes"]
        if node["kind"] == kind
    ]
    return {
        name: [(kind, params), *chain[1:]]
        for name, chain in CHAINS.items()
        if chain[0] is PHOTOS
    }


def document(chain):
    ids, nodes = [], []
    for kind, params in chain:
        count = sum(node["kind"] == kind for node in nodes)
        ids.append(kind if not count else f"{kind}_{count + 1}")
        nodes.append({"id": ids[-1], "kind": kind, "params": params})
    wires = [{"from": a, "to": b} for a, b in zip(ids, ids[1:])]
    return {"format_version": 1, "nodes": nodes, "wires": wires}


def run(bench, _):
    folder = bench.folder("kinds")
    extra = {**EXTRA, **getattr(bench.adapter, "EXTRA", {})}
    cases = []
    only = getattr(bench.adapter, "CONVERT", None)
    chains = converted(bench, folder, only) if only else CHAINS
    if not only:
        chains = {**chains, **dict(containers(bench, folder))}
    for name, chain in chains.items():
        file = folder / f"{name.replace(' ', '_')}.millrace.json"
        file.write_text(json.dumps(document(chain)))
        cases.append((Case(name, str(file)), extra.get(name, 0.0)))
    if not only:
        chess = folder / "chess.millrace.json"
        bench.millrace("export", "chess", "--to", "json", "-o", chess)
        cases.append((Case("chess", str(chess)), 0.0))
    return table(bench, cases)
