# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A tf.data pipeline as the graph that TensorFlow writes of it: its stages, what each adds to the time of a
batch, and the same pipeline with other settings, which calls the same functions of the user.
"""
import re
import time

from millrace_own_python.trouble import Unusable

MEASURED_S = 1.5  # for all stages
MOST_S = 8.0
IGNORE_STATE = 1
AUTO = -1
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


def seconds_each(tf, dataset, elements, budget):
    """The time for an element; 0 if there is none. Each becomes a byte, and `elements` of them a batch, so that
    little else takes time."""
    byte = tf.autograph.experimental.do_not_convert(lambda *element: tf.constant(0, tf.uint8))
    batches = iter(dataset.repeat().map(byte).batch(elements))
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
    size = graph.constant(size)
    node = graph.graph.node.add(name="millrace/prefetch", op="PrefetchDataset", input=[graph.end.input[0], size])
    for name in ("output_types", "output_shapes"):
        node.attr[name].CopyFrom(last.attr[name])
    graph.nodes[node.name] = node
    graph.end.input[0] = node.name


SETTERS = {"parallel_calls": set_parallel_calls, "deterministic": set_deterministic, "prefetch": set_prefetch}


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
    except Exception as error:
        raise Unusable("its settings cannot be changed: TensorFlow does not write this pipeline as a graph (%s)"
                       % type(error).__name__) from None
