# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares the distributions of random draws, as samples show them.

The pictures encode their own coordinates: red is the column, green the row. So
a sample shows which part was cropped and whether it was mirrored. Millrace and
the target each make 10 000 samples; areas, ratios and positions are compared by
the two-sample Kolmogorov-Smirnov test, flips by a normal test on the counts. A
p below P counts as a difference.
"""

import json
import math

import numpy as np
from PIL import Image

COPIES, ROUNDS = 100, 100
WIDTH, HEIGHT, SIDE = 250, 200, 32
# Up to 21 tests for each target: together one false alarm in 48 runs.
P = 0.001


# Boxes of a picture as COCO writes them: x, y, width, height.
BOXES = [(20, 30, 60, 50), (150, 90, 80, 100), (100, 20, 30, 25)]


def pictures(folder, count):
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    pixels = np.stack([columns, rows, np.zeros_like(rows)], axis=2)
    names = folder / "pictures" / "one"
    names.mkdir(parents=True)
    first = names / "00000.png"
    Image.fromarray(pixels.astype(np.uint8)).save(first)
    for i in range(1, count):
        (names / f"{i:05}.png").hardlink_to(first)


def annotate(folder, count):
    """Write the boxes of the pictures, and return the pipeline and its data."""
    numbers = range(count)
    images = [
        {"id": i, "file_name": f"one/{i:05}.png", "width": WIDTH, "height": HEIGHT}
        for i in numbers
    ]
    boxes = [
        {"id": len(BOXES) * i + k, "image_id": i, "category_id": 1, "bbox": box,
         "area": box[2] * box[3], "iscrowd": 0}
        for i in numbers
        for k, box in enumerate(BOXES)
    ]  # fmt: skip
    categories = [{"id": 1, "name": "thing"}]
    file = folder / "boxes.json"
    file.write_text(
        json.dumps({"images": images, "annotations": boxes, "categories": categories})
    )
    source = {"path": str(file), "images": str(folder / "pictures")}
    kinds = [
        ("detection", source),
        ("workers", {"count": 2}),
        ("decode", {}),
        ("random_iou_crop", {}),
        ("resize", {"width": SIDE, "height": SIDE}),
        ("flip", {"horizontal": 0.5, "vertical": 0.2}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
        ("batch", {"size": 100}),
        ("drain", {}),
    ]
    return document(kinds)


def pipeline(rounds):
    repeat = [("repeat", {"count": rounds})] if rounds > 1 else []
    kinds = [
        ("image_folder", {}),
        *repeat,
        ("workers", {"count": 2}),
        ("decode", {}),
        ("random_resized_crop", {"width": SIDE, "height": SIDE}),
        ("flip", {"horizontal": 0.5, "vertical": 0.2}),
        ("precision", {"dtype": "f32", "layout": "nchw"}),
        ("batch", {"size": 100}),
        ("drain", {}),
    ]
    return document(kinds)


def document(kinds):
    nodes = [{"id": k, "kind": k, "params": p} for k, p in kinds]
    wires = [
        {"from": a, "to": b} for (a, _), (b, _) in zip(kinds, kinds[1:])
    ]
    return {"format_version": 1, "nodes": nodes, "wires": wires}


def line(values):
    """Return the edges of a part, from the line through its pixel centres.

    Rounded to whole numbers: errors of the fit would make equal draws differ.
    """
    places = np.arange(SIDE) + 0.5
    # The outermost pixels are mixed with fewer neighbours.
    slope, start = np.polyfit(places[4:-4], values[:, 4:-4].T, 1)
    edges = start + 0.5, start + slope * SIDE + 0.5
    return [np.round(edge) for edge in edges]


def seen(images):
    """Return area, ratio, place and mirroring of each sample's part."""
    images = np.asarray(images, dtype=np.float64) * 255
    left, right = line(images[:, 0].mean(axis=1))
    top, bottom = line(images[:, 1].mean(axis=2))
    width, height = np.abs(right - left), np.abs(bottom - top)
    return {
        "area": width * height / (WIDTH * HEIGHT),
        "ratio": width / height,
        "centre x": (left + right) / 2,
        "centre y": (top + bottom) / 2,
        "whole": width * height == WIDTH * HEIGHT,
        "flip x": right < left,
        "flip y": bottom < top,
    }


def kolmogorov_smirnov(a, b):
    """Return the p of the two-sample test (asymptotic, Stephens 1970)."""
    both = np.sort(np.concatenate([a, b]))
    gap = np.abs(
        np.searchsorted(np.sort(a), both, side="right") / len(a)
        - np.searchsorted(np.sort(b), both, side="right") / len(b)
    ).max()
    size = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    at = (size + 0.12 + 0.11 / size) * gap
    terms = [
        (-1) ** (k - 1) * math.exp(-2 * k * k * at * at)
        for k in range(1, 101)
    ]
    return min(1.0, max(0.0, 2 * sum(terms)))


def same_share(a, b):
    """Return the p of two shares being equal (pooled normal test)."""
    share = (a.sum() + b.sum()) / (len(a) + len(b))
    spread = math.sqrt(share * (1 - share) * (1 / len(a) + 1 / len(b)))
    return math.erfc(abs(a.mean() - b.mean()) / spread / math.sqrt(2))


def ours(bench, arguments, folder):
    bench.millrace(
        "run", *arguments, "--epochs", 1, "--warmup", 0, "--repeats", 1,
        "--no-store", "--dump", folder, "--dump-batches", COPIES * ROUNDS,
    )  # fmt: skip
    files = []
    for file in sorted(folder.glob("batch_*.json")):
        if json.loads(file.read_text())["epoch"] == 0:
            files.append(np.load(folder / f"{file.stem}.image.npy"))
    return np.concatenate(files)


def compare(bench, form, rounds):
    folder = bench.folder(f"draws {form}")
    count = COPIES * ROUNDS // rounds
    pictures(folder, count)
    boxes = form == "boxes"
    made = annotate(folder, count) if boxes else pipeline(rounds)
    graph = folder / "draws.millrace.json"
    graph.write_text(json.dumps(made))
    arguments = [graph] if boxes else [graph, "--data", folder / "pictures"]
    module = bench.exported(folder, *arguments)
    theirs = [fields["image"] for _, fields in bench.adapter.batches(module)]
    theirs = seen(np.concatenate(theirs))
    mine = seen(ours(bench, arguments, folder / "dump"))
    print(f"\n{form}: {len(theirs['area'])} draws; different below p = {P}.\n")
    print("| drawn | Millrace, mean | target, mean | p | |")
    print("|---|---|---|---|---|")
    rows = []
    for name, values in mine.items():
        test = same_share if values.dtype == bool else kolmogorov_smirnov
        p = test(values, theirs[name])
        row = {
            "case": f"{form}, {name}",
            "millrace": float(values.mean()),
            "target": float(theirs[name].mean()),
            "p": p,
            "fine": p >= P,
        }
        rows.append(row)
        verdict = "same" if row["fine"] else "DIFFERENT"
        print(
            f"| {name} | {row['millrace']:.4f} | {row['target']:.4f}"
            f" | {p:.3f} | {verdict} |"
        )
    return rows


def run(bench, _):
    """Compare both forms: code for pipelines with `repeat` has the long one.

    And crops around boxes, where the target has them.
    """
    rows = compare(bench, "short", 1) + compare(bench, "long", ROUNDS)
    return rows + (compare(bench, "boxes", 1) if hasattr(bench.adapter, "BOXES") else [])
