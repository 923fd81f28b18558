# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The process that starts the loader and ends whatever it has started, also if Millrace is killed."""
import os
import select
import signal
import time

from millrace_own_python.lines import Gone

GRACE_S = 3.0  # until an interrupted loader is killed
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl(option, value):
    """Linux's prctl; without ctypes nothing is set, and a kill of Millrace may leave processes."""
    try:
        import ctypes

        return ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def descendants(root):
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if fields[0] != b"Z":
            parents[int(name)] = int(fields[1])
    found = set()
    for process in parents:
        chain = []
        at = process
        while at in parents and at != root and len(chain) < 64:
            chain.append(at)
            at = parents[at]
        if at == root:
            found.update(chain)
    return found


def reap(child, ended):
    """Collects processes that have ended: the wait status of `child` once it has, and whether other
    children are left."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if process == 0:
            return ended, True
        if process == child:
            ended = status


def kill_all(child, ended):
    """Kills every descendant, also those that left the process group, until none is left."""
    until = time.monotonic() + 5
    left = True
    while left and time.monotonic() < until:
        for process in descendants(os.getpid()):
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
        ended, left = reap(child, ended)
        if left:
            time.sleep(0.01)
    return ended


def guard(child, lifeline, lines):
    """Waits for the loader's end, or for the request or the end of Millrace to end it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # By default the guard would be killed together with Millrace, and could not clean up.
    if prctl(PR_SET_CHILD_SUBREAPER, 1):
        prctl(PR_SET_PDEATHSIG, 0)
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    ended = None
    kill_at = None
    while ended is None:
        if kill_at is not None and time.monotonic() > kill_at:
            break
        if kill_at is None and poll.poll(20):
            said = os.read(lifeline, 4096)
            if said and b"end" not in said:
                continue
            kill_at = time.monotonic() + (GRACE_S if said else 0.3)
            os.kill(child, signal.SIGINT)
        elif kill_at is not None:
            time.sleep(0.02)
        ended, _ = reap(child, ended)
    ended = kill_all(child, ended)
    code = os.WEXITSTATUS(ended) if ended is not None and os.WIFEXITED(ended) else 0
    number = os.WTERMSIG(ended) if ended is not None and os.WIFSIGNALED(ended) else 0
    try:
        lines.tell("exited", code=code, signal=number, asked=kill_at is not None)
    except Gone:
        pass
    os._exit(0)


def guard_server(child, lifeline):
    """Waits for the server's end or for that of Millrace, also while the server imports a file, and ends
    what is left. Reads nothing from the lifeline, which is the server's."""
    poll = select.poll()
    poll.register(lifeline, 0)  # only its hang-up
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    ended = None
    until = None
    while ended is None and (until is None or time.monotonic() < until):
        if until is not None:
            time.sleep(0.005)
        elif poll.poll(50):
            until = time.monotonic() + 0.5
        ended, _ = reap(child, ended)
    kill_all(child, ended)
    os._exit(0)
