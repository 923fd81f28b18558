#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Draws results.csv as rates.svg: every format's rates of reading and of the whole job, with the
data in the page cache and with it dropped, as ratios to loose files. Needs matplotlib."""
import csv
import pathlib

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "millrace"  # the same file from the same figures
import matplotlib.pyplot as plt

HERE = pathlib.Path(__file__).parent
TITLES = {
    "photos": "JPEG photos of 100 kB",
    "small pictures": "PNG of 32 x 32",
    "raw pictures": "Raw pixels of 128 x 128",
    "records": "Packed records of 200 bytes",
    "masks": "PNG 480 x 360 with index masks",
    "pairs": "PNG pairs 984 x 796",
}
NAMES = {"folder": "files", "tfrecord": "TFRecord", "webdataset": "WebDataset", "mds": "MDS",
         "recordio": "RecordIO", "hdf5": "HDF5", "numpy": "NumPy", "lmdb": "LMDB"}
KINDS = [("read_warm", "read, warm", "#9cc3d9"), ("job_warm", "whole job, warm", "#3b7a9e"),
         ("job_cold", "whole job, cold", "#b3541e")]
TICKS = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20]


def figures(text):
    """`1.09 [1.04, 1.15]` as three numbers."""
    return [float(word.strip("[],")) for word in text.split()]


def draw(place, rows):
    high = 0.8 / len(KINDS)
    ends = [1.0]
    for number, (column, label, colour) in enumerate(KINDS):
        found = [(i, figures(row[column + "_ratio"])) for i, row in enumerate(rows)
                 if row[column + "_ratio"]]
        at = [i + (number - 1) * high for i, _ in found]
        ratios = [ratio for _, (ratio, _, _) in found]
        errors = [[ratio - low for _, (ratio, low, _) in found],
                  [top - ratio for _, (ratio, _, top) in found]]
        place.barh(at, [ratio - 1 for ratio in ratios], high, left=1, xerr=errors, color=colour,
                   ecolor="#555555", error_kw={"linewidth": 0.7}, label=label)
        ends += [end for _, (_, *interval) in found for end in interval]
    place.axvline(1, color="#333333", linewidth=0.8)
    place.set_xscale("log")
    ticks = [tick for tick in TICKS if 0.7 * min(ends) <= tick <= 1.4 * max(ends)]
    place.set_xticks(ticks, map("{:g}".format, ticks))
    place.minorticks_off()
    place.set_yticks(range(len(rows)), [NAMES[row["format"]] for row in rows])
    place.invert_yaxis()
    place.spines[["top", "right"]].set_visible(False)
    place.tick_params(labelsize=8)


def main():
    with open(HERE / "results.csv", newline="") as file:
        # A format without a part of the samples does less work, so it is only in the table.
        found = [row for row in csv.DictReader(file)
                 if row["read_warm_ratio"] and not row["note"].startswith("left out")]
    sets = [name for name in TITLES if any(row["set"] == name for row in found)]
    figure, places = plt.subplots(3, 2, figsize=(9, 10.5), layout="constrained")
    for place, name in zip(places.flat, sets):
        draw(place, [row for row in found if row["set"] == name])
        place.set_title(TITLES[name], loc="left", fontsize=9)
    places.flat[0].legend(fontsize=8, frameon=False)
    figure.supxlabel("rate over that of loose files (of TFRecord where samples cannot be files), "
                     "95 % intervals", fontsize=9)
    figure.savefig(HERE / "rates.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
