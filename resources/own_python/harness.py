# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Iterates over a user's loader for `millrace loader` and reports its batches.

Two processes: the guard starts the one that imports the user's file. Each line on the pipe that was
standard output is a JSON object, or ["b", ...] for some batches. What the file prints goes to standard
error. Needs nothing but the standard library of Python 3.8.
"""
import fcntl
import json
import os
import signal
import sys

from millrace_own_python.guard import PR_SET_PDEATHSIG, guard, prctl
from millrace_own_python.knobs import turn
from millrace_own_python.lines import Gone, Lines
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
    # High numbers and closed in other programs, so that the user's code does not meet them.
    lines = Lines(fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 200))
    lifeline = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 200)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    parent = os.getpid()
    child = os.fork()
    if child != 0:
        guard(child, lifeline, lines)
    os.close(lifeline)
    lines.owner = os.getpid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    # A shell's background job inherits that interrupts are ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run(lines, settings)
