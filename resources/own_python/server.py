# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Imports a user's file once, and forks the processes that call its function (core/own_python).

The first process is a guard, which ends the others when Millrace has ended. Standard input is a socket of packets. Millrace sends "fork" with two descriptors, the connection and
the memory of the new process, or "ended PID". The answers are JSON objects.
"""
import array
import fcntl
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time

import millrace_own_python
from millrace_own_python.guard import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, guard_server, prctl
from millrace_own_python.subject import is_indexable, is_iterable, is_pipeline, load, made, named, needs_arguments
from millrace_own_python.trouble import Unusable, tell_error

END_S = 1.0  # until a process that closed its connection is killed


class Control:
    def __init__(self):
        # A high number, so that the user's code does not meet it.
        number = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 200)
        self.socket = socket.socket(fileno=number)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def tell(self, event, **values):
        self.socket.send(json.dumps(dict(values, event=event)).encode("utf-8", "replace"))

    def hear(self):
        """A message and the descriptors that came with it; an empty one when Millrace has ended."""
        numbers = array.array("i")
        message, more, _, _ = self.socket.recvmsg(256, socket.CMSG_SPACE(2 * numbers.itemsize))
        for level, kind, data in more:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                numbers.frombytes(data[:len(data) - len(data) % numbers.itemsize])
        return message, list(numbers)


class Items:
    """The samples of a dataset by their numbers. `iterated`: as the user's program makes them, for a comparison."""

    def __init__(self, found, name, iterated):
        self.dataset, _ = made(found, name)
        if is_pipeline(self.dataset):
            from millrace_own_python.tf_iterated import Iterated
            from millrace_own_python.tf_stages import Elements

            self.dataset = (Iterated if iterated else Elements)(self.dataset)
            self.set_random_seed = self.dataset.set_random_seed
        if not is_indexable(self.dataset):
            why = "has no __getitem__ and __len__"
            if is_iterable(self.dataset):
                why = ("gives its samples one after another, but workers ask for them by number: it needs "
                       "__getitem__ and __len__. `millrace loader` measures it")
            raise Unusable("`%s` is of type %s, which %s" % (name, type(self.dataset).__name__, why))
        self.samples = len(self.dataset)

    def __call__(self, index):
        return self.dataset[int(index)]


def callable_of(settings):
    sys.path.insert(0, settings["base"])
    if settings["module"]:
        module = importlib.import_module(settings["module"])
    else:
        module = load(settings)
    found = named(module, settings["name"])
    if settings["dataset"]:
        return Items(found, settings["name"], settings["iterated"])
    if is_pipeline(found):
        from millrace_own_python.tf_stages import Mapped

        return Mapped(found)
    if isinstance(found, type):
        needed = needs_arguments(found)
        if needed:
            raise Unusable("the class `%s` needs the argument %s: name an object or a function" % (
                settings["name"], needed[0]))
        found = found()
    if not callable(found):
        raise Unusable("`%s` is of type %s, which cannot be called" % (
            settings["name"], type(found).__name__))
    return found


def use_one_thread():
    """Each process is one worker; more threads in each would only fight for the cores."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(1)


def become_worker(descriptors, server, function, settings):
    from millrace_own_python.calls import Calls

    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")  # rather than Millrace
    except OSError:
        pass
    if settings["memory_limit"] > 0:
        limit = int(settings["memory_limit"])
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    use_one_thread()
    connection = socket.socket(fileno=descriptors[0])
    Calls(descriptors[1], function, settings).serve(connection)


def threads_are_lost():
    """Whether the file has made something in TensorFlow: a forked process would wait for its threads forever."""
    context = sys.modules.get("tensorflow.python.eager.context")
    return getattr(getattr(context, "_context", None), "_initialized", False)


def begin_afresh(descriptors, server, settings):
    """Replaces this process by an interpreter that imports the file again, and then works (fresh.py)."""
    parts = os.memfd_create("millrace", 0)
    os.write(parts, json.dumps(millrace_own_python.PARTS).encode())
    for descriptor in descriptors:
        os.set_inheritable(descriptor, True)
    program = "import json;parts=json.load(open('/proc/self/fd/%d'));exec(parts['start'])" % parts
    more = json.dumps(dict(settings, descriptors=list(descriptors), server=server))
    os.execv(sys.executable, [sys.executable, "-c", program, "fresh", more, settings["file"]])


def end_of(process):
    """How a process ended that has closed its connection."""
    until = time.monotonic() + END_S
    while True:
        try:
            found, status = os.waitpid(process, os.WNOHANG)
        except ChildProcessError:
            return {"code": 0, "signal": 0}
        if found != 0:
            break
        if time.monotonic() > until:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.002)
    return {"code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}


def answer(control, function, settings):
    message, descriptors = control.hear()
    if not message:
        return False
    if message == b"fork":
        server = os.getpid()
        process = os.fork()
        if process == 0:
            try:
                if threads_are_lost():
                    begin_afresh(descriptors, server, settings)
                control.socket.close()
                become_worker(descriptors, server, function, settings)
            finally:
                os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)
        control.tell("forked", process=process)
    else:
        control.tell("ended", **end_of(int(message.split()[1])))
    return True


def imported(control, settings):
    phase = "import"
    try:
        function = callable_of(settings)
        phase = "make"
        import millrace_own_python.calls as calls  # NumPy may be missing

        calls.Conversion(settings["as"], settings["batch"])
        return function
    except SystemExit as left:
        control.tell("left", code=str(left.code))
    except BaseException as error:  # any error of the user's code is theirs to read
        tell_error(control, phase, error)
    return None


def main(settings):
    control = Control()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    guard = os.getpid()
    server = os.fork()
    if server != 0:
        guard_server(server, control.socket.fileno())
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != guard:
        os._exit(0)
    try:
        function = imported(control, settings)
        if function is not None:
            control.tell("ready", samples=getattr(function, "samples", 0))
            while answer(control, function, settings):
                pass
    except OSError:
        pass
    os._exit(0)
