#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Attacks a built `millrace` as a user's machine would: kills, full disks, odd files, wrong numbers.

    attack.py MILLRACE [--long] [--list] [NAME...]

NAME is a kind (`kills` is attack_kills.py) or a part of an attack's name; without one all run. `--long`
tries more often and with larger data. docs/adding/attack.md explains how to add an attack.
"""

import importlib
import os
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import lab  # noqa: E402


def kinds():
    return sorted(path.stem for path in Path(__file__).parent.glob("attack_*.py"))


def chosen(names):
    """Import every kind, and return those attacks whose kind or name was asked for."""
    found = []
    for kind in kinds():
        importlib.import_module(kind)
    for attack in lab.ATTACKS:
        short = attack.kind.removeprefix("attack_")
        if not names or any(name in (short, attack.kind) or name in attack.name for name in names):
            found.append(attack)
    return found


def attempt(attack, program, long):
    """Run one attack, print its line, and return "passed", "failed" or "skipped"."""
    started = time.monotonic()
    title = f"{attack.kind.removeprefix('attack_')}: {attack.name}"
    place = lab.Lab(program, long)
    try:
        attack.run(place)
        place.finish()
    except lab.Skip as reason:
        print(f"SKIP   {title}: {reason}", flush=True)
        return "skipped"
    except Exception:  # A fault of the attack itself is a failure, too.
        place.faults.append(traceback.format_exc())
    finally:
        place.remove()
    mark = "FAIL!  " if place.faults else "PASS   "
    print(f"{mark}{title} ({place.runs} runs, {time.monotonic() - started:.1f} s)", flush=True)
    for fault in place.faults:
        print("    " + fault.replace("\n", "\n    "), flush=True)
    return "failed" if place.faults else "passed"


def main(arguments):
    flags = [a for a in arguments if a.startswith("--")]
    words = [a for a in arguments if not a.startswith("--")]
    if not words or set(flags) - {"--long", "--list"}:
        print(__doc__)
        return 2
    attacks = chosen(words[1:])
    if not attacks:
        print(f"no attack is called {' or '.join(words[1:])}; kinds: {' '.join(kinds())}")
        return 2
    if "--list" in flags:
        print("\n".join(f"{a.kind.removeprefix('attack_')}: {a.name}" for a in attacks))
        return 0
    os.umask(0o022)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for attack in attacks:
        counts[attempt(attack, Path(words[0]).resolve(), "--long" in flags)] += 1
    print(f"Totals: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    if counts["failed"]:
        return 1
    return 0 if counts["passed"] else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
