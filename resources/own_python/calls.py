# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Calls a user's function on samples in memory that is shared with Millrace.

The memory's layout is that of core/own_python/call_memory.h: a header, a table of fields, their values.
Arrays that the function gets lie in that memory, and are valid during the call.
"""
import json
import mmap
import os
import struct
import sys
import time

import numpy

from millrace_own_python.seeds import Seeds
from millrace_own_python.subject import name_of
from millrace_own_python.trouble import Unusable, tell_error

HEADER = struct.Struct("<QII")  # seed, number of fields, whether draws are centred or an error's length
FIELD = struct.Struct("<IIIIQQ6q")  # type, rank, layout, 0, place, bytes, sizes
FIELDS_AT, FIELD_STRIDE, DATA_AT = 64, 96, 6272
REQUEST = struct.Struct("<Q")  # bytes of memory
REPLY = struct.Struct("<QQQ")  # whether it failed, bytes of memory, CPU time so far in nanoseconds
TYPES = [name and numpy.dtype(name) for name in (
    "u1", "i1", "u2", "i2", "i4", "i8", "f2", None, "f4", "f8", "u1")]
NUMBERS = {kind: number for number, kind in enumerate(TYPES[:10]) if kind}
HWC, ENCODED = 1, 10
NO_SIZES = [(0,) * (6 - rank) for rank in range(7)]


def aligned(place):
    return (place + 63) & ~63


class Memory:
    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.bytes = 0
        self.fit(DATA_AT)

    def fit(self, size):
        """Maps at least `size` bytes. An array that the user's code has kept stays valid, but not its
        content."""
        if size <= self.bytes:
            return
        if os.fstat(self.descriptor).st_size < size:
            size = (size * 5 // 4 + 4095) & ~4095
            os.ftruncate(self.descriptor, size)
        self.map = mmap.mmap(self.descriptor, size)
        self.bytes = size


class Conversion:
    """Between arrays and what the function takes and returns: `form` is numpy, torch, pil or tensorflow. `batch`:
    they are those of a batch, with samples first."""

    def __init__(self, form, batch):
        self.form = form
        self.rank = 4 if batch else 3  # of a picture
        if form == "torch":
            import torch

            self.torch = torch
        elif form == "pil":
            import PIL.Image

            self.image = PIL.Image
        elif form == "tensorflow":
            import tensorflow

            self.tensorflow = tensorflow

    def given(self, array, hwc, encoded):
        if self.form == "tensorflow":
            return self.tensorflow.constant(array.tobytes() if encoded else array)
        if self.form == "torch":
            tensor = self.torch.from_numpy(array)
            return tensor.movedim(-1, -3) if hwc else tensor
        if self.form == "pil" and hwc:
            return self.image.fromarray(array[:, :, 0] if array.shape[2] == 1 else array)
        return array[()] if array.ndim == 0 else array

    def taken(self, value, hwc, name):
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            array = value.detach().cpu().numpy()
            return numpy.moveaxis(array, -3, -1) if hwc and array.ndim == self.rank else array
        if isinstance(value, (bytes, bytearray)):
            return numpy.frombuffer(value, numpy.uint8)
        array = numpy.asarray(value)
        if array.dtype == bool:
            array = array.view(numpy.uint8)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("="))
        if hwc and array.ndim == self.rank - 1:
            array = array[..., None]
        if array.dtype not in NUMBERS:
            raise Unusable("returned values of type %s for `%s`, which Millrace cannot hold" % (
                array.dtype if array.dtype != object else type(value).__name__, name))
        if array.ndim > 6:
            raise Unusable("returned %d dimensions for `%s`; 6 are the most" % (array.ndim, name))
        return array


class Said:
    """What tell_error writes to."""

    def tell(self, event, **values):
        self.text = json.dumps(values).encode("utf-8", "replace")


class Calls:
    def __init__(self, memory, function, settings):
        self.memory = Memory(memory)
        self.function = function
        self.names = settings["inputs"]
        self.by_name = settings["by_name"]
        self.results = settings["results"]  # (name, whether it is a picture with its channels last)
        self.result_names = [name for name, _ in self.results]
        self.by_place = self.result_names[0].isdigit()
        self.table, self.fields, self.end = None, [], DATA_AT
        self.conversion = Conversion(settings["as"], settings["batch"])
        self.seeds = Seeds(function) if settings["random"] else None
        self.centre = None
        self.module = sys.modules.get(settings["module"] or name_of(settings["file"]))

    def describe(self, count):
        """Reads what the table says of the fields, unless it says the same as for the last call."""
        table = self.memory.map[FIELDS_AT:FIELDS_AT + count * FIELD_STRIDE]
        if table == self.table:
            return
        self.table, self.fields, self.end = table, [], DATA_AT
        for i in range(count):
            kind, rank, layout, _, place, size, *sizes = FIELD.unpack_from(table, i * FIELD_STRIDE)
            self.fields.append((sizes[:rank], TYPES[kind], place, layout == HWC, kind == ENCODED))
            self.end = max(self.end, place + size)

    def in_order(self, result):
        names = self.result_names
        if self.by_place:  # places in what was returned
            parts = result if isinstance(result, (tuple, list)) else [result]
            return [parts[int(name)] for name in names]
        if isinstance(result, dict):
            lacking = [name for name in names if name not in result]
            if lacking:
                raise Unusable("returned a dict without `%s`; it has %s" % (
                    lacking[0], ", ".join(map(str, result)) or "nothing"))
            return [result[name] for name in names]
        if len(names) == 1:
            return [result]
        if not isinstance(result, (tuple, list)) or len(result) != len(names):
            raise Unusable("returned %s, but %d are declared: %s" % (
                "%d values" % len(result) if isinstance(result, (tuple, list))
                else "one value of type %s" % type(result).__name__, len(names), ", ".join(names)))
        return result

    def drawing(self, seed, centred):
        """Prepares the random numbers of a call: the arguments to add to it."""
        if self.seeds is None:
            return {}
        if centred and self.centre is None:
            from millrace_own_python.centre import Centre

            self.centre = Centre(self.function, self.module, self.seeds.generator is not None)
        return (self.centre if centred else self.seeds).set(seed)

    def call(self):
        seed, count, centred = HEADER.unpack_from(self.memory.map, 0)
        self.describe(count)
        values, places = [], {}
        for shape, kind, place, hwc, encoded in self.fields:
            array = numpy.ndarray(shape, kind, self.memory.map, place)
            places[id(array)] = place, array
            values.append(self.conversion.given(array, hwc, encoded))
        more = self.drawing(seed, centred)
        if self.by_name:
            more = dict(more, **dict(zip(self.names, values)))
            result = self.function(**more)
        else:
            result = self.function(*values, **more)
        if result is None:
            raise Unusable("returned None")
        self.store(self.in_order(result), places)

    def store(self, results, places):
        """`places` of the arrays that the function got, by their ids."""
        taken, end = [], self.end
        for (name, hwc), value in zip(self.results, results):
            if id(value) in places:  # changed in place
                taken.append((value, places[id(value)][0], True))
                continue
            array = self.conversion.taken(value, hwc, name)
            taken.append((array, aligned(end), False))
            end = aligned(end) + array.nbytes
        self.memory.fit(end)
        for i, (array, place, there) in enumerate(taken):
            if not there:
                numpy.copyto(numpy.ndarray(array.shape, array.dtype, self.memory.map, place), array)
            FIELD.pack_into(self.memory.map, FIELDS_AT + i * FIELD_STRIDE, NUMBERS[array.dtype],
                            array.ndim, 0, 0, place, array.nbytes, *array.shape,
                            *NO_SIZES[array.ndim])
        HEADER.pack_into(self.memory.map, 0, 0, len(taken), 0)

    def fail(self, error):
        said = Said()
        tell_error(said, "call", error)
        self.memory.fit(DATA_AT + len(said.text))
        self.memory.map[DATA_AT:DATA_AT + len(said.text)] = said.text
        HEADER.pack_into(self.memory.map, 0, 0, 0, len(said.text))

    def serve(self, connection):
        """Answers requests until Millrace closes the connection."""
        while True:
            request = connection.recv(REQUEST.size)
            if len(request) < REQUEST.size:
                return
            failed = 0
            try:
                self.memory.fit(*REQUEST.unpack(request))
                self.call()
            except BaseException as error:  # any error of the user's code is theirs to read
                failed = 1
                self.fail(error)
            connection.send(REPLY.pack(failed, self.memory.bytes, time.process_time_ns()))
