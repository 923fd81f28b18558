# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Draws results.csv as rates.svg: how many times as fast Millrace is. Needs matplotlib."""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "millrace"  # the same file from the same figures
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
TITLES = {
    "photos": "JPEG photos, random crop 224",
    "pairs": "PNG pairs 984x796, paired crop",
    "masks": "PNG 480x360 with index masks",
    "augmented": "JPEG photos to 150, affine, shift, flip",
    "records": "Packed records, batch then map",
    "single_records": "Packed records, map then batch",
}


def main():
    with open(HERE / "results.csv", newline="") as file:
        found = [row for row in csv.DictReader(file) if row["peer"] != "millrace"]
    works = list(dict.fromkeys(row["work"] for row in found))
    counts = [sum(row["work"] == work for row in found) for work in works]
    figure, places = plt.subplots(
        len(works), 1, figsize=(7.5, 0.32 * len(found) + 0.7 * len(works)), height_ratios=counts, layout="constrained"
    )
    for place, work in zip(places, works):
        rows = sorted((row for row in found if row["work"] == work), key=lambda row: -float(row["rate_ratio"]))
        ratios = [float(row["rate_ratio"]) for row in rows]
        below = [ratio - float(row["rate_low"]) for ratio, row in zip(ratios, rows)]
        above = [float(row["rate_high"]) - ratio for ratio, row in zip(ratios, rows)]
        place.barh([row["peer"] for row in rows], ratios, xerr=(below, above), color="#3b7a9e", ecolor="#333333")
        place.axvline(1, color="#b3541e", linewidth=1)
        place.set_xlim(0, 1.05 * max(ratio + more for ratio, more in zip(ratios, above)))
        place.set_title(TITLES.get(work, work), loc="left", fontsize=9)
        place.spines[["top", "right"]].set_visible(False)
        place.tick_params(labelsize=8)
    figure.supxlabel("Millrace's rate over the loader's (95 % intervals; 1: as fast)", fontsize=9)
    figure.savefig(HERE / "rates.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
