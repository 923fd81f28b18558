# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A program that runs the user's code and reports lines to Millrace, with a guard that ends it.

Two processes: the guard starts the one that runs the code. Lines go to the pipe that was standard output;
what the code prints goes to standard error.
"""
import fcntl
import os
import signal
import sys
import time

from millrace_own_python.guard import PR_SET_PDEATHSIG, guard, prctl
from millrace_own_python.lines import Gone, Lines
from millrace_own_python.trouble import tell_error


END_S = 1.0  # until a worker whose connection has closed has ended


def ended_worker(error):
    """PyTorch's error for a worker that has ended, if that caused `error`; otherwise `error`."""
    until = time.monotonic() + (END_S if isinstance(error, (OSError, EOFError)) else 0)
    while True:
        try:
            sys.modules["torch"]._C._error_if_any_worker_fails()
        except RuntimeError as ended:
            return ended
        except (KeyError, AttributeError):  # no PyTorch, or another version
            return error
        if time.monotonic() >= until:
            return error
        time.sleep(0.02)  # its connection closes before it has ended


def reported(run, lines, settings):
    """Calls run(lines, settings), and reports how it failed; `lines.phase` is what it was doing."""
    try:
        lines.tell("started", guard=os.getppid(), loader=os.getpid())
        run(lines, settings)
    except (KeyboardInterrupt, Gone):
        pass
    except SystemExit as left:
        lines.tell("left", phase=lines.phase, code=str(left.code or 0))
    except BaseException as error:  # any error of the user's code is theirs to read
        # PyTorch's handler raises an error wherever it is when a worker has ended.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        tell_error(lines, lines.phase, ended_worker(error))


def guarded(run, settings):
    """Calls run(lines, settings) in the second process."""
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
    reported(run, lines, settings)
