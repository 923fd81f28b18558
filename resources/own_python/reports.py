# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""How the processes of a loader report the times of their steps: through shared memory."""
import json
import struct

SLOT = 8192  # bytes of shared memory for each process
HEAD = struct.Struct("II")  # a counter that is odd during a write; the length of the text


class Slot:
    """A place in shared memory for the report of one process."""

    def __init__(self, board, index):
        self.begin = index * SLOT
        self.memory = memoryview(board).cast("B")

    def write(self, values):
        text = json.dumps(values).encode()
        if len(text) > SLOT - HEAD.size:
            return
        turn, _ = HEAD.unpack_from(self.memory, self.begin)
        turn = turn // 2 * 2  # that of a process that was killed may be odd
        HEAD.pack_into(self.memory, self.begin, turn + 1, len(text))
        start = self.begin + HEAD.size
        self.memory[start:start + len(text)] = text
        HEAD.pack_into(self.memory, self.begin, turn + 2, len(text))

    def read(self):
        """None if a report has not been written in full."""
        turn, length = HEAD.unpack_from(self.memory, self.begin)
        text = bytes(self.memory[self.begin + HEAD.size:self.begin + HEAD.size + length])
        if turn == 0 or turn % 2 or HEAD.unpack_from(self.memory, self.begin)[0] != turn:
            return None
        try:
            return json.loads(text)
        except ValueError:
            return None


class Reports:
    """The reports of all processes of a loader, added up."""

    def __init__(self):
        self.slots = []
        self.latest = []  # by slot
        self.past = []  # the last of each worker of an earlier epoch, added up
        self.names = None

    def took(self, slot, values):
        before = self.latest[slot]
        if before is not None and values["process"] != before["process"]:
            self.past = [added(self.past + [before])]
        self.latest[slot] = values

    def sum(self, batches):
        """None before the first report: the processes count the batches. Steps that the first batches did not have are other code."""
        for i, slot in enumerate(self.slots):
            values = slot.read()
            if values is not None:
                self.took(i, values)
        known = self.past + [each for each in self.latest if each is not None]
        if not known:
            return None
        whole = added(known)
        if self.names is None:
            self.names = [name for name, _ in whole["steps"]]
        late = sum(ns for name, ns in whole["steps"] if name not in self.names)
        times = dict(whole["steps"])
        steps = [[name, times.get(name, 0) + (late if name == whole["root"] else 0)]
                 for name in self.names]
        return {"timed": whole["timed"], "steps": steps}


def added(reports):
    times = {}
    for report in reports:
        for name, nanoseconds in report["steps"]:
            times[name] = times.get(name, 0) + nanoseconds
    return {"timed": sum(each["timed"] for each in reports),
            "root": reports[0]["root"], "steps": list(times.items())}
