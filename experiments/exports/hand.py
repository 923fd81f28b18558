# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Compares exported code with the loaders of experiments/peers, written by hand.

Both read the same data with two workers, in many short alternating turns. Other
load of the machine changes rates; the CPU time of a sample depends less on it. Also
counts the lines of the file and the warnings of one epoch, run as a script.
"""

import importlib.util
import itertools
import os
import pathlib
import statistics
import subprocess
import sys
import time

from cases import is_refusal

PEERS = pathlib.Path(__file__).parent.parent / "peers"
sys.path.append(str(PEERS))
from serve import cpu_seconds  # noqa: E402

TURNS = 12
SECONDS = 1.5
IDLE = 0.25
ALONE = 60  # batches of each
# Every file is linked so many times: an epoch lasts longer than a turn.
TIMES = 8

# Example, the work of experiments/peers that resembles it most, its batch size.
# The peer of segmentation neither crops nor normalises.
WORKS = [
    ("classification", "photos", 64),
    ("super-resolution", "pairs", 16),
    ("segmentation", "masks", 8),
    ("chess", "records", 512),
    ("cats-vs-dogs", "augmented", 32),
    ("deblurring", "blurred", 8),
]


def peer(target, work):
    """Return the module with the hand-written loader, or None if there is none for this work."""
    file = PEERS / "loaders" / f"{target}.py"
    if not file.exists():
        return None
    spec = importlib.util.spec_from_file_location("peer", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["peer"] = module
    spec.loader.exec_module(module)
    return module if work in module.WORKS else None


def linked(source, folder, times):
    """Link every file below a folder into another, without hidden ones."""
    for file in source.rglob("[!.]*"):
        if file.is_file():
            place = folder / file.parent.relative_to(source)
            place.mkdir(parents=True, exist_ok=True)
            for number in range(times):
                (place / f"{number}-{file.name}").symlink_to(file)


def data_of(module, work, folder):
    """Return the folder of the peer's data, and what `--data` names for ours."""
    data = folder / "data"
    if work in ("photos", "augmented"):
        linked(pathlib.Path(module.DATA), data / "train", TIMES)
        return data, [data / "train"]
    if work == "records":
        linked(pathlib.Path(module.DATA), data, 1)
        return data, [data]
    sides = [pathlib.Path(module.INPUTS), pathlib.Path(module.TARGETS)]
    for side in sides:
        linked(side, data / side.name, TIMES)
    return data, [data / side.name for side in sides]


def settle():
    """Wait until all queues are full; return when the work ended and the CPU time."""
    cpu = cpu_seconds()
    for _ in range(40):
        ended = time.perf_counter()
        time.sleep(IDLE)
        before, cpu = cpu, cpu_seconds()
        if cpu - before <= IDLE / 5:  # reading the times itself takes some
            break
    return ended, cpu


def span(batches):
    """Return samples a second, and CPU seconds a sample.

    From full queues to full queues: whatever their sizes, as many samples are made as
    are taken, and the other side does nothing.
    """
    _, cpu = settle()
    started, samples = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        samples += next(batches)
    ended, cpu_after = settle()
    return samples / (ended - started), (cpu_after - cpu) / samples


def turns(ours, theirs):
    """Return the rates of both, and the CPU seconds of both."""
    rates, costs = ([], []), ([], [])
    for batches in (ours, theirs):
        next(batches)
    for turn in range(TURNS):
        for side in (0, 1) if turn % 2 else (1, 0):
            rate, cost = span((ours, theirs)[side])
            rates[side].append(rate)
            costs[side].append(cost)
    return rates, costs


def alone(makes):
    """Return the ratio of the CPU times of batches that this process makes, in turn by each.

    Without processes that wait for each other; what else runs slows both alike.
    """
    used = [0.0, 0.0]
    for turn in range(ALONE):
        for side in (0, 1) if turn % 2 else (1, 0):
            started = time.process_time()
            next(makes[side])
            if turn > 1:
                used[side] += time.process_time() - started
    return used[1] / used[0]


def warnings_of(file):
    """Count the warnings of one epoch."""
    done = subprocess.run(
        [sys.executable, "-W", "always", str(file)],
        capture_output=True,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1"},
    )
    if done.returncode != 0:
        stopped = "NotImplementedError" in done.stderr
        raise (NotImplementedError if stopped else RuntimeError)(done.stderr[-300:])
    return sum("Warning" in line for line in done.stderr.splitlines())


def compare(bench, name, work, batch, loader):
    folder = bench.folder(f"hand {name}".replace(" ", "_"))
    module = bench.exported(folder, name)
    file = pathlib.Path(module.__file__)
    row = {"case": name, "loader": loader, "fine": True}
    row["lines"] = file.read_text().count("\n")
    row["warnings"] = warnings_of(file)
    theirs = None
    if work is not None:
        data, ours = data_of(module, work, folder)
        theirs = peer(loader, work)
    if theirs is None:
        batches = bench.adapter.epochs(module)
        next(batches)
        row["rate"], _ = span(batches)
        return row
    named = [word for path in ours for word in ("--data", path)]
    module = bench.exported(folder, name, *named)
    rates, costs = turns(bench.adapter.epochs(module), theirs.loader(work, data, 2, batch))
    row["rate"], row["peer"] = map(statistics.median, rates)
    found = [a / b for a, b in zip(*rates)]
    row["ratio"], row["lowest"], row["highest"] = statistics.median(found), min(found), max(found)
    row["cpu"] = statistics.median(b / a for a, b in zip(*costs))
    if hasattr(bench.adapter, "in_this_process"):
        loaders = module.make_loader(), theirs.batches_of(work, data, 2, batch)
        makes = [bench.adapter.in_this_process(one) for one in loaders]
        row["alone"] = alone(makes) if all(makes) else None
    return row


def run(bench, _):
    getattr(bench.adapter, "before_hand", lambda: None)()
    print("| example | loader | lines | warnings | samples/s | by hand | ratio | of the turns | by CPU | in one process |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    loaders = getattr(bench.adapter, "LOADERS", [bench.target])
    for loader, (name, work, batch) in itertools.product(loaders, WORKS):
        try:
            row = compare(bench, name, work, batch, loader)
        except NotImplementedError as error:
            row = {"case": name, "fine": True, "problem": f"not translated: {error}"}
            print(f"| {name} | | | | | | | | | not translated |", flush=True)
        except Exception as error:  # one case must not hide the others
            problem = " ".join(f"{error}".split())
            row = {"case": name, "fine": is_refusal(problem), "problem": problem}
            print(f"| {name} | | | | | | | | | {row['problem'][-200:]} |", flush=True)
        else:
            line = f"| {name} | {loader} | {row['lines']} | {row['warnings']} | {row['rate']:.0f} |"
            if "ratio" in row:
                line += (
                    f" {row['peer']:.0f} | {row['ratio']:.2f}"
                    f" | {row['lowest']:.2f} to {row['highest']:.2f} | {row['cpu']:.2f} |"
                )
                line += f" {row['alone']:.3f} |" if row.get("alone") else " |"
            else:
                line += " | | | | |"
            print(line, flush=True)
        rows.append(row)
    return rows
