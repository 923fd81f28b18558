# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A tf.data pipeline as the graph that TensorFlow writes of it: its stages, what each adds to the time of a
batch, and the same pipeline with other settings, which calls the same functions of the user.
"""
import os
import re
import time

from millrace_own_python.tf_draws import is_random
from millrace_own_python.trouble import Unusable

MEASURED_S = 1.5  # for all stages
MOST_S = 8.0
IGNORE_STATE = 1
AUTO = -1
UNKNOWN = -2  # a number of elements
COUNT_S = 5.0
JOINS = ("Zip", "Concatenate", "ParallelZip", "SampleFrom", "DirectedInterleave")
# One element in does not make one out, or a batch.
CHANGES_COUNT = ("Filter", "FlatMap", "Interleave", "Unbatch", "Window", "Group", "Repeat", "Skip", "Take",
                 "Shard", "RejectionResample", "Rebatch", "ParseExample", "Scan", "TakeWhile", "Ragged")
UNSEEN = ("Options", "Model", "Optimize", "MaxIntraOpParallelism", "PrivateThreadPool")


def short(op):
    """"Map" of MapDataset, ParallelMapDatasetV2 and the like."""
    return re.sub(r"^(Parallel|Experimental)+|Dataset(V\d+)?$|V\d+$", "", op)


class Graph:
    """Raises an error of TensorFlow if it cannot write the pipeline as a graph."""

    def __init__(self, dataset):
        import tensorflow as tf
        from tensorflow.core.framework import graph_pb2

        self.tf, self.dataset = tf, dataset
        text = tf.raw_ops.DatasetToGraphV2(input_dataset=dataset._variant_tensor,
                                           external_state_policy=IGNORE_STATE,
                                           strip_device_assignment=True)
        self.graph = graph_pb2.GraphDef.FromString(text.numpy())
        for function in self.graph.library.function:
            for node in function.node_def:  # TensorFlow strips the device of a py_function to "/device::0"
                node.device = ""
                node.attr.pop("_device", None)
        self.nodes = {node.name: node for node in self.graph.node}
        self.end = next(node for node in self.graph.node if node.op == "_Retval")

    def inputs(self, node):
        """The pipelines that a stage reads."""
        found = [self.nodes[name.split(":")[0]] for name in node.input]
        return [each for each in found if "output_types" in each.attr]

    def chain(self):
        """The stages that can be seen one by one, the last one first; a stage that joins pipelines is the
        first of them."""
        stages, node = [], self.nodes[self.end.input[0].split(":")[0]]
        while True:
            stages.append(node)
            found = self.inputs(node)
            if len(found) != 1 or short(node.op).startswith(JOINS):
                return stages
            node = found[0]

    def number(self, name):
        from tensorflow import make_ndarray

        return int(make_ndarray(self.nodes[name.split(":")[0]].attr["value"].tensor))

    def constant(self, value):
        """The name of a new whole number."""
        node = self.graph.node.add(name="millrace/%d" % len(self.graph.node), op="Const")
        node.attr["dtype"].type = self.tf.int64.as_datatype_enum
        node.attr["value"].tensor.CopyFrom(self.tf.make_tensor_proto(value, self.tf.int64))
        self.nodes[node.name] = node
        return node.name

    def insert_after(self, stage, name, op, inputs):
        """A stage that gets the elements of another one and gives such elements."""
        added = self.graph.node.add(name=name, op=op, input=[stage.name] + inputs)
        for shape in ("output_types", "output_shapes"):
            added.attr[shape].CopyFrom(stage.attr[shape])
        for node in self.graph.node:
            if node.name != name:
                node.input[:] = [name if each.split(":")[0] == stage.name else each for each in node.input]
        self.nodes[name] = added
        return added

    def pipeline(self, node, spec=None):
        """The pipeline up to a stage."""
        from tensorflow.python.data.ops.dataset_ops import _VariantDataset

        before = self.end.input[0]
        self.end.input[0] = node.name
        text = self.graph.SerializeToString()
        self.end.input[0] = before
        if spec is None:
            spec = tuple(self.tf.TensorSpec(None, self.tf.as_dtype(kind))
                         for kind in node.attr["output_types"].list.type)
        return _VariantDataset(self.tf.raw_ops.DatasetFromGraph(graph_def=text), spec)


def name_of(node):
    """"map parse" for `.map(parse)`."""
    kind = short(node.op)
    if kind in ("TFRecord", "TextLine", "FixedLengthRecord"):
        return "read (%s)" % kind
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
    function = node.attr["f"].func.name if "f" in node.attr else ""
    found = re.match(r"__inference_Dataset_[a-z_]*?(?:map|interleave|filter)_(.+?)_?\d*$", function)
    return "%s %s" % (words, found.group(1)) if found and found.group(1) != "lambda" else words


def stages_of(graph):
    """(name, stage, elements of it in one of the last stage), from the first to the last."""
    stages, elements = [], 1
    for node in graph.chain():
        kind = short(node.op)
        if kind not in UNSEEN:
            stages.append((name_of(node), node, elements))
        if kind.startswith(CHANGES_COUNT):
            break
        if kind in ("Batch", "PaddedBatch", "MapAndBatch"):
            place = 1 if kind != "MapAndBatch" else len(node.attr["Targuments"].list.type) + 1
            elements *= graph.number(node.input[place])
    stages.reverse()
    names = [name for name, _, _ in stages]
    if stages and graph.inputs(stages[0][1]):
        names[0] = "up to " + names[0]
    for i, name in enumerate(names):
        same = names[:i].count(name)
        if same or name in names[i + 1:]:
            names[i] = "%s (%d)" % (name, same + 1)
    return [(name, node, count) for name, (_, node, count) in zip(names, stages)]


def byte_of_each(tf, dataset):
    """A byte in place of each element, which takes next to no time."""
    return dataset.map(tf.autograph.experimental.do_not_convert(lambda *element: tf.constant(0, tf.uint8)))


def seconds_each(tf, dataset, elements, budget):
    """The time for an element; 0 if there is none. Each becomes a byte, and `elements` of them a batch, so that
    little else takes time."""
    batches = iter(byte_of_each(tf, dataset.repeat()).batch(elements))
    try:
        next(batches)
        count, begin = 0, time.perf_counter()
        while count == 0 or time.perf_counter() - begin < budget:
            next(batches)
            count += elements
    except StopIteration:
        return 0
    return (time.perf_counter() - begin) / count


class Stages:
    """What each stage adds to the time of a batch, measured before the run: that of the pipeline up to it,
    without that of the pipeline before it."""

    def __init__(self, steps):
        self.steps = steps

    def sum(self, batches):
        return {"timed": batches,
                "steps": [[name, int(batches * seconds * 1e9)] for name, seconds in self.steps]}


def watch_stages(dataset):
    """None if they cannot be seen one by one."""
    try:
        graph = Graph(dataset)
        stages = stages_of(graph)
        steps, before, begin = [], 0, time.perf_counter()
        for name, node, elements in stages:
            if time.perf_counter() - begin > MOST_S:
                return None
            whole = elements * seconds_each(graph.tf, graph.pipeline(node), elements,
                                            MEASURED_S / len(stages))
            steps.append((name, max(0, whole - before)))
            before = max(before, whole)
        return Stages(steps) if before > 0 else None
    except Exception:  # another version of TensorFlow, or a pipeline that cannot be written
        return None


def set_parallel_calls(graph, text):
    """Of every map and interleave."""
    calls = AUTO if text == "auto" else int(text)
    for node in list(graph.graph.node):
        kind = short(node.op)
        if kind not in ("Map", "Interleave", "MapAndBatch"):
            continue
        if node.op == "MapDataset":
            node.op = "ParallelMapDatasetV2"
            node.attr["deterministic"].s = b"default"
            node.attr.pop("force_synchronous", None)
            node.input.append(graph.constant(calls))
        elif node.op in ("ParallelMapDatasetV2", "ParallelInterleaveDatasetV4", "MapAndBatchDataset"):
            place = {"ParallelMapDatasetV2": -1, "ParallelInterleaveDatasetV4": -1, "MapAndBatchDataset": -2}[node.op]
            node.input[place] = graph.constant(calls)


def set_deterministic(graph, value):
    for node in graph.graph.node:
        if node.op in ("ParallelMapDatasetV2", "ParallelInterleaveDatasetV4", "ParallelBatchDataset"):
            node.attr["deterministic"].s = b"true" if value else b"false"


def set_prefetch(graph, text):
    """Of the last stage."""
    size = AUTO if text == "auto" else int(text)
    last = next(node for node in graph.chain() if short(node.op) not in UNSEEN)
    if last.op == "PrefetchDataset":
        last.input[1] = graph.constant(size)
        return
    end = graph.nodes[graph.end.input[0].split(":")[0]]
    graph.insert_after(end, "millrace/prefetch", "PrefetchDataset", [graph.constant(size)])


def is_repeatable(graph, node):
    """Whether a function that is mapped returns the same for the same element in each epoch."""
    functions = {function.signature.name: function for function in graph.graph.library.function}
    names, known = [node.attr["f"].func.name], set()
    while names:
        name = names.pop()
        if name in known or name not in functions:
            continue
        known.add(name)
        for inside in functions[name].node_def:
            if is_random(inside.op) or "PyFunc" in inside.op:
                return False
            names += [value.func.name for value in inside.attr.values() if value.HasField("func")]
    return True


def cached_stage(graph):
    """The last stage whose elements a cache may keep: before anything that draws, shuffles or makes batches."""
    last = None
    for node in reversed(graph.chain()):
        kind = short(node.op)
        if kind == "Map":
            if not is_repeatable(graph, node):
                break
            last = node
        elif kind == "Cache":
            raise Unusable("`cache` cannot be set: the pipeline has a cache")
        elif graph.inputs(node) and kind not in UNSEEN + ("Prefetch", "AssertCardinality"):
            break
    if last is None:
        raise Unusable("`cache` cannot be set: before the pipeline shuffles or makes batches, no function is mapped "
                       "that returns the same in each epoch")
    return last


def bytes_of(element):
    return sum(len(part.numpy()) if part.dtype == "string" and part.shape.rank == 0 else part.numpy().nbytes
               for part in (element if isinstance(element, tuple) else (element,)))


def counted(graph, node):
    """The number of elements up to a stage that calls functions on each; None if that is not known in short time."""
    count = int(graph.pipeline(node).cardinality())
    if count != UNKNOWN:
        return count if count >= 0 else None
    count, begin = 0, time.perf_counter()
    for some in byte_of_each(graph.tf, graph.pipeline(graph.chain()[-1])).batch(1024):
        count += int(some.shape[0])
        if time.perf_counter() - begin > COUNT_S:
            return None
    return count


def check_memory(graph, node):
    """A cache that does not fit would end the program."""
    pipeline = graph.pipeline(node)
    count = counted(graph, node)
    if count is None:
        raise Unusable("`cache` cannot be set: the number of elements is not known, so how much memory it needs is "
                       "not known either")
    need = count * max(map(bytes_of, pipeline.take(4)), default=0)
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if need > free / 2:
        raise Unusable("`cache` cannot be set: it needs about %.1f GB, and %.1f GB are free" % (need / 1e9, free / 1e9))


def set_cache(graph, value):
    """After the last function that is mapped before anything that differs between epochs."""
    if not value:
        return
    last = cached_stage(graph)
    check_memory(graph, last)
    name = graph.graph.node.add(name="millrace/no_file", op="Const")
    name.attr["dtype"].type = graph.tf.string.as_datatype_enum
    name.attr["value"].tensor.CopyFrom(graph.tf.make_tensor_proto(b"", graph.tf.string))
    graph.insert_after(last, "millrace/cache", "CacheDataset", [name.name])


SETTERS = {"cache": set_cache, "parallel_calls": set_parallel_calls, "deterministic": set_deterministic, "prefetch": set_prefetch}


def changed(dataset, values):
    """The pipeline with other settings (knobs.py), by name."""
    try:
        graph = Graph(dataset)
        for name in SETTERS:  # `deterministic` concerns parallel calls, so it comes after them
            if name in values:
                SETTERS[name](graph, values[name])
        made = graph.pipeline(graph.nodes[graph.end.input[0].split(":")[0]], dataset.element_spec)
        made = made.with_options(dataset.options())
        if "threads" in values:
            options = graph.tf.data.Options()
            options.threading.private_threadpool_size = values["threads"]
            made = made.with_options(options)
        return made
    except Unusable:
        raise
    except Exception as error:
        raise Unusable("its settings cannot be changed: TensorFlow does not write this pipeline as a graph (%s)"
                       % type(error).__name__) from None
