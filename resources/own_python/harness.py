# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Iterates over a user's loader for `millrace loader` and reports its batches.

Each line is a JSON object, or ["b", ...] for some batches. Needs nothing but the standard library of
Python 3.8.
"""
import os

from millrace_own_python.guarded import guarded
from millrace_own_python.knobs import turn
from millrace_own_python.lines import Gone
from millrace_own_python.loop import iterate
from millrace_own_python.subject import load, made, named
from millrace_own_python.trouble import tell_error


def run(lines, settings):
    phase = "import"
    try:
        lines.tell("started", guard=os.getppid(), loader=os.getpid())
        module = load(settings)
        phase = "make"
        thing, maker = made(named(module, settings["name"]), settings["name"])
        turn(thing, settings["set"])
        phase = "batch"
        iterate(lines, settings, thing, maker)
    except (KeyboardInterrupt, Gone):
        pass
    except SystemExit as left:
        lines.tell("left", phase=phase, code=str(left.code))
    except BaseException as error:  # any error of the user's code is theirs to read
        tell_error(lines, phase, error)


def main(settings):
    guarded(run, settings)
