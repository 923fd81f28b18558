# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Samples of a tf.data pipeline as TensorFlow makes them, to compare others with."""
from millrace_own_python.tf_draws import SeedsInGraph
from millrace_own_python.tf_graph import Graph, short
from millrace_own_python.tf_stages import fields_of, samples_of
from millrace_own_python.trouble import Unusable

DROPPED = ("Shuffle", "Repeat", "Cache")  # stages that only concern order and time
KEEPS_COUNT = DROPPED + ("Map", "Prefetch", "Options", "AssertCardinality")


class Iterated:
    """The elements by their numbers: TensorFlow runs the user's pipeline up to its batches, without shuffles, from
    an element on."""

    def __init__(self, dataset):
        last = samples_of(dataset)
        self.fields = fields_of(last.element_spec)
        self.graph = Graph(last)
        self.take_turns()
        self.drop_stages()
        self.seeds = SeedsInGraph(self.graph.tf, self.graph.graph)
        self.place = self.skipping()
        self.length = self.counted()

    def take_turns(self):
        """Files one after another."""
        for node in list(self.graph.graph.node):
            if short(node.op) == "Interleave":
                one = self.graph.constant(1)
                node.input[1 + len(node.attr["Targuments"].list.type)] = one  # files at a time
                if node.op.startswith("ParallelInterleave"):
                    node.input[-1] = one  # calls at a time

    def drop_stages(self):
        dropped = {node.name: node.input[0] for node in self.graph.graph.node if short(node.op).startswith(DROPPED)}
        for node in self.graph.graph.node:
            for i, name in enumerate(node.input):
                while name.split(":")[0] in dropped:
                    name = dropped[name.split(":")[0]]
                node.input[i] = name

    def skipping(self):
        """Adds a Skip after the first stage, if the others neither add nor choose elements, or else at the end.
        Returns the name of its count."""
        stages = self.graph.chain()
        few = all(short(node.op).startswith(KEEPS_COUNT) for node in stages[:-1])
        stage = stages[-1] if few else stages[0]
        count = self.graph.constant(0)
        self.first = self.graph.insert_after(stage, "millrace/skip", "SkipDataset", [count])
        return count

    def set_skipped(self, count):
        tensor = self.graph.tf.make_tensor_proto(count, self.graph.tf.int64)
        self.graph.nodes[self.place].attr["value"].tensor.CopyFrom(tensor)

    def counted(self):
        """Elements are counted where they are skipped, so that no function is called for it."""
        self.set_skipped(0)
        tf = self.graph.tf
        more = tf.autograph.experimental.do_not_convert(lambda count, *element: count + 1)
        return int(self.graph.pipeline(self.first).reduce(tf.constant(0, tf.int64), more))

    def set_random_seed(self, seed):
        self.seeds.set(seed)

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        self.set_skipped(i)
        last = self.graph.nodes[self.graph.end.input[0].split(":")[0]]
        for tensors in self.graph.pipeline(last):
            return {name: tensors[place].numpy() for place, name in self.fields}
        raise Unusable("has no element %d" % i)
