# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Random numbers that a mapped function draws in TensorFlow, as functions of a seed.

TensorFlow's random operations keep a state, so that what they return depends on all calls before. Each is
replaced by its stateless form, with a seed made from that of the sample and the operation's name.
"""
import zlib

# Operation: its stateless form, the place of the seed among the inputs, attributes with another name.
STATELESS = {"RandomUniform": ("StatelessRandomUniform", 1, {}),
             "RandomStandardNormal": ("StatelessRandomNormal", 1, {}),
             "TruncatedNormal": ("StatelessTruncatedNormal", 1, {}),
             "RandomUniformInt": ("StatelessRandomUniformInt", 1, {"Tout": "dtype"}),
             "SampleDistortedBoundingBoxV2": ("StatelessSampleDistortedBoundingBox", 3, {})}
PREFIXES = ("Random", "Truncated", "Multinomial", "ParameterizedTruncated", "Rng", "StatefulRandom", "StatefulStandard",
            "StatefulTruncated", "StatefulUniform", "SampleDistorted")


def is_random(operation):
    """Whether it draws numbers that differ from call to call."""
    return operation.startswith(PREFIXES)


def key_of(node):
    """A part of the seed, different for each operation of a function."""
    return zlib.crc32(node.name.encode())


def make_stateless(tf, node, seed):
    """`seed`: the name of a tensor of two whole numbers."""
    operation, place, renamed = STATELESS[node.op]
    node.op = operation
    data = [name for name in node.input if not name.startswith("^")]
    waits = [name for name in node.input if name.startswith("^")]
    node.input[:] = data[:place] + [seed] + data[place:] + waits
    for name in ("seed", "seed2"):
        node.attr.pop(name, None)
    for before, after in renamed.items():
        node.attr[after].CopyFrom(node.attr[before])
        del node.attr[before]
    node.attr["Tseed"].type = tf.int64.as_datatype_enum


def is_seeded(graph):
    """Whether all random operations in a function's graph can be replaced: none is in a function that it calls."""
    inside = [node.op for function in graph.library.function for node in function.node_def]
    return not any(map(is_random, inside)) and all(
        node.op in STATELESS for node in graph.node if is_random(node.op))


def seeded(function):
    """The traced `function` with a seed as an additional first argument."""
    import tensorflow as tf

    graph = function.graph.as_graph_def()
    seed = graph.node.add(name="millrace/seed", op="Placeholder")
    seed.attr["dtype"].type = tf.int64.as_datatype_enum
    for node in [node for node in graph.node if is_random(node.op)]:
        key = graph.node.add(name=node.name + "/millrace_key", op="Const")
        key.attr["dtype"].type = tf.int64.as_datatype_enum
        key.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(key_of(node), tf.int64))
        both = graph.node.add(name=node.name + "/millrace_seed", op="Pack", input=[seed.name, key.name])
        both.attr["T"].type = tf.int64.as_datatype_enum
        both.attr["N"].i = 2
        both.attr["axis"].i = 0
        make_stateless(tf, node, both.name)
    names = [seed.name + ":0"] + [tensor.name for tensor in function.graph.inputs]

    def imported(*tensors):
        return tf.graph_util.import_graph_def(graph, input_map=dict(zip(names, tensors)), name="", return_elements=[
            tensor.name for tensor in function.graph.outputs])

    specs = [tf.TensorSpec([], tf.int64)] + [tf.TensorSpec(tensor.shape, tensor.dtype)
                                             for tensor in function.graph.inputs]
    made = tf.compat.v1.wrap_function(imported, specs)
    return lambda seed, *tensors: made(tf.constant(seed, tf.int64), *tensors, *function.captured_inputs)


class SeedsInGraph:
    """The seeds of the random operations in the functions that a whole pipeline's graph maps."""

    def __init__(self, tf, graph):
        self.tf, self.places = tf, []
        functions = {function.signature.name: function for function in graph.library.function}
        for node in graph.node:
            function = functions.get(node.attr["f"].func.name) if "f" in node.attr else None
            for each in list(function.node_def) if function is not None else []:
                if each.op in STATELESS:
                    self.add(function, each)
        self.set(0)

    def add(self, function, node):
        seed = function.node_def.add(name=node.name + "/millrace_seed", op="Const")
        seed.attr["dtype"].type = self.tf.int64.as_datatype_enum
        self.places.append((seed, key_of(node)))
        make_stateless(self.tf, node, seed.name + ":output:0")

    def set(self, seed):
        for node, key in self.places:
            node.attr["value"].tensor.CopyFrom(self.tf.make_tensor_proto([seed, key], self.tf.int64))
