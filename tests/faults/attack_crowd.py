# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Many processes at one store, one target and one cache at the same time."""

import json

from lab import attack


def together(lab, commands, codes, limit=120):
    """Start all, wait for all, and hold each to the rules of a run."""
    started = [(command, lab.start(*command)) for command in commands]
    return [lab.judge_process(" ".join(command), process, limit, codes) for command, process in started]


@attack("many runs are kept in a new store at once")
def runs(lab):
    lab.photos()
    count = 50 if lab.long else 12
    together(lab, [lab.short(seconds="0.05") for _ in range(count)], (0,))
    lab.expect(lab.check_store(count) == count, "runs were lost or kept twice")
    listed = json.loads(lab.run("runs", "list", "--all", "--json", codes=(0,)).out)
    rows = listed["runs"] if isinstance(listed, dict) else listed
    lab.expect(len(rows) == count, f"{len(rows)} of {count} runs are listed")


@attack("many commands change one store at once")
def changes(lab):
    lab.photos()
    for _ in range(4):
        lab.measure(codes=(0,))
    count = 50 if lab.long else 15
    commands = [["runs", "tag", "1", f"+t{n}"] for n in range(count)]
    commands += [["runs", "note", "2", "--append", f"line {n}"] for n in range(count)]
    commands += [["runs", "delete", "3"], ["runs", "delete", "4"], ["runs", "tidy"], ["runs", "list"]]
    together(lab, commands, (0, 2))
    shown = lab.run("runs", "show", "1", "--json", codes=(0,)).out
    tags = json.loads(shown)["tags"]
    lab.expect(len(tags) == count, f"{len(tags)} of {count} tags were kept")
    notes = json.loads(lab.run("runs", "show", "2", "--json", codes=(0,)).out)["notes"]
    lab.expect(notes.count("line ") == count, f"{notes.count('line ')} of {count} notes were kept")
    lab.check_store(2)


@attack("many conversions to one target, and many samples drawn in one cache")
def targets(lab):
    lab.photos(count=40)
    count = 20 if lab.long else 6
    ends = together(lab, [["convert", "photos", "one.tar", "--to", "webdataset"]] * count, (0, 1, 2))
    lab.expect(any(e.code == 0 for e in ends), "no conversion was done")
    lab.run("inspect", "one.tar", codes=(0,), says="32|40")
    together(lab, [["sample-data", "--cache", "--kind", "chess", "--count", "1"]] * count, (0, 1, 2))
    cached = ["--data", "photos", "--insert", "disk_cache:decode", "--epochs", "1", "--warmup", "0",
              "--repeats", "1", "--no-store"]
    together(lab, [["run", "classification", *cached]] * count, (0,))
