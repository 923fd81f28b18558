# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares shapes, types, names, order and values of an epoch's first batches."""

import json

import numpy as np

from cases import is_refusal

BATCHES = 4
VALUES = "values differ"


def flags(case):
    """Return settings with which both sides draw nothing and decode in full."""
    graph = case.pipeline
    full = ["--set", "decode.scaling=full"]
    return ["--no-random", *([] if graph.endswith(".json") else full)]


def dumped(bench, case, folder):
    """Yield names and fields of Millrace's batches of epoch 0."""
    bench.millrace(
        "run", *case.arguments(), *flags(case), "--epochs", 1, "--warmup", 0,
        "--repeats", 1, "--no-store", "--max-failures", "100%", "--dump",
        folder, "--dump-batches", BATCHES,
    )  # fmt: skip
    for file in sorted(folder.glob("batch_*.json")):
        known = json.loads(file.read_text())
        if known["epoch"] != 0:
            return
        fields = {}
        for array in sorted(folder.glob(f"{file.stem}.*.npy")):
            _, name, *row, _ = array.name.split(".")
            if row:  # samples have different numbers of rows
                fields.setdefault(name, []).append(np.load(array))
            else:
                fields[name] = np.load(array)
        yield known["samples"], fields


def level_sizes(bench, case):
    """Return the size of one level of 255 in each channel of a picture."""
    graph = json.loads(
        bench.millrace("export", *case.arguments(), "--to", "json")
    )
    for node in graph["nodes"]:
        if node["kind"] == "normalise" and node["state"] == "on":
            return 1 / (255 * np.array(node["params"]["deviation"]))
    return np.array([1 / 255])


def in_levels(difference, sizes):
    """Return differences of pictures in levels of 255."""
    if difference.ndim != 4:
        return difference
    axis = 1 if difference.shape[1] in (1, 3) else 3
    shape = [1] * 4
    shape[axis] = len(sizes)
    return difference / sizes.reshape(shape)


def differs(difference, ours):
    """Return whether it is more than the rounding of mathematical libraries."""
    if ours.dtype.kind != "f":
        return difference.any()
    last_bits = 4 * np.finfo(ours.dtype).eps * np.abs(ours)
    return (difference > last_bits).any()


def compare_rows(name, theirs, ours):
    """Compare fields whose rows have different lengths."""
    if len(theirs) != len(ours):
        return f"{name}: {len(theirs)} rows, wanted {len(ours)}", 0, 0
    for their_row, row in zip(theirs, ours):
        problem, *_ = compare_field(name, their_row, row, None)
        if problem:
            return problem, 0, 0
    return None, 0, 0


def compare_field(name, theirs, ours, sizes):
    """Return the greatest and the mean difference, or why there is none."""
    if isinstance(ours, list):
        return compare_rows(name, theirs, ours)
    if theirs.shape != ours.shape:
        return f"{name}: shape {theirs.shape}, wanted {ours.shape}", 0, 0
    if theirs.dtype != ours.dtype:
        return f"{name}: type {theirs.dtype}, wanted {ours.dtype}", 0, 0
    difference = np.abs(theirs.astype(np.float64) - ours.astype(np.float64))
    if name in ("image", "target") and ours.dtype.kind == "f":
        difference = in_levels(difference, sizes)
    elif name not in ("image", "target") and differs(difference, ours):
        return f"{name}: {np.count_nonzero(difference)} {VALUES}", 0, 0
    if not difference.size:
        return None, 0, 0
    return None, float(difference.max()), float(difference.mean())


def compare(bench, case, values=True):
    folder = bench.folder(f"pixels {case.name}".replace(" ", "_"))
    wanted = list(dumped(bench, case, folder / "dump"))
    module = bench.exported(folder, *case.arguments(), *flags(case))
    sizes = level_sizes(bench, case)
    worst, means, samples = 0.0, [], 0
    for (names, fields), (their_names, theirs) in zip(
        wanted, bench.adapter.batches(module)
    ):
        if their_names is not None and their_names != names:
            return {"problem": f"order: {their_names[:3]}, wanted {names[:3]}"}
        if sorted(fields) != sorted(theirs):
            return {"problem": f"fields {sorted(theirs)}, {sorted(fields)}"}
        samples += len(names)
        for name, ours in fields.items():
            problem, most, mean = compare_field(
                name, theirs[name], ours, sizes
            )
            if problem and (values or not problem.endswith(VALUES)):
                return {"problem": problem}
            worst = max(worst, most)
            if name in ("image", "target"):
                means.append(mean)
    total = sum(len(names) for names, _ in wanted)
    if not samples or samples != total:
        return {"problem": f"{samples} samples, wanted {total}"}
    return {"samples": samples, "most": worst, "mean": float(np.mean(means or [0]))}


def judged(bench, case, extra=0.0):
    """Compare one case; `extra` levels are added to the tolerance of single values.

    Values of cases with a reason in the adapter's KNOWN are not compared.
    """
    tolerance = bench.adapter.TOLERANCE
    row = {"case": case.name}
    known = getattr(bench.adapter, "KNOWN", {}).get(case.name)
    try:
        row.update(compare(bench, case, values=not known))
    except NotImplementedError as error:
        return {**row, "fine": True, "problem": f"not translated: {error}"}
    except Exception as error:  # one case must not hide the others
        row["problem"] = " ".join(f"{error}".split())[-300:]
        if is_refusal(row["problem"]):
            return {**row, "fine": True}
    if known and "problem" not in row:
        return {**row, "fine": True, "known": known}
    row["fine"] = (
        "problem" not in row
        and row["most"] <= tolerance["most"] + extra
        and row["mean"] <= tolerance["mean"]
    )
    return row


def run(bench, cases):
    if hasattr(bench.adapter, "CONVERT"):
        print("This target reads converted data only: see the part kinds.")
        return []
    return table(bench, [(case, 0.0) for case in cases])


def table(bench, cases):
    tolerance = bench.adapter.TOLERANCE
    print(
        f"Tolerance: {tolerance['most']} levels of 255 anywhere,"
        f" {tolerance['mean']} in the mean; labels and masks equal.\n"
    )
    print("| data | samples | greatest difference | mean | |")
    print("|---|---|---|---|---|")
    rows = []
    for case, extra in cases:
        row = judged(bench, case, extra)
        rows.append(row)
        if "problem" in row:
            print(f"| {case.name} | | | | {row['problem']} |", flush=True)
        elif "known" in row:
            samples, why = row["samples"], row["known"]
            print(
                f"| {case.name} | {samples} | | | values not compared: {why} |",
                flush=True,
            )
        else:
            verdict = "same" if row["fine"] else "OUTSIDE"
            print(
                f"| {case.name} | {row['samples']} | {row['most']:.3f}"
                f" | {row['mean']:.4f} | {verdict} |",
                flush=True,
            )
    return rows
