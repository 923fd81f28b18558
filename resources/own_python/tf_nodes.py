# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Writes a tf.data pipeline as nodes, for `millrace import`.

A node reads records. Any other source stays the user's: one node, with the functions that are mapped. What is
mapped after records or after a cache is a node that calls these functions.
"""
import os

from millrace_own_python.chain import Translation, looks_of
from millrace_own_python.items import item_names
from millrace_own_python.tf_draws import is_seeded
from millrace_own_python.tf_stages import (BATCHES, CHOICES, SAME, Elements, Functions, Mapped, chain_of, draws_of,
                                           element_of, kind_of_stage, length_of, name_of_stage, number, operations_of,
                                           parts, samples_of, unnumbered, why_not_kept)
from millrace_own_python.trouble import Unusable

OPENS = {"TFRecordDataset", "TFRecordDatasetV2"}  # operations
# What TensorFlow adds to it.
NOTHING = {"Placeholder", "Const", "Identity", "NoOp", "Reshape", "TensorSliceDataset", "FlatMapDataset"}
FEW = 3  # samples that show types and shapes
AUTO = -1
LIMIT_S = 300  # the first call of a process imports the file
MOST = (1 << 32) - 1  # samples
TYPES = ("u8", "i8", "u16", "i16", "i32", "i64", "f16", "f32", "f64")
PICTURES = ("image", "target", "mask")


def opens_records(stage):
    """Whether it only makes a TFRecordDataset of each name."""
    if kind_of_stage(stage) not in ("Interleave", "FlatMap"):
        return False
    operations = operations_of(stage) - NOTHING
    return bool(operations) and operations <= OPENS


def is_shuffled(last):
    return any(kind_of_stage(each) == "Shuffle" for each in every_stage(last))


def every_stage(last):
    found = chain_of(last)
    for stage in list(found):
        if kind_of_stage(stage) in ("Zip", "Concatenate"):
            found += [inner for part in parts(stage) for inner in every_stage(part)]
    return found


def declared(item, values):
    """A result of a `python` node, NAME=TYPE:SHAPE:ROLE, by its values in some samples."""
    name, _, role = item.partition("=")
    role = role or name
    looks = [looks_of(each, "numpy") for each in values]
    shapes = [shape if role in PICTURES else list(each.shape) for each, (_, shape) in zip(values, looks)]
    if len({kind for kind, _ in looks}) > 1 or len(set(map(len, shapes))) > 1:
        raise Unusable("`%s` has another type or number of dimensions in other samples" % name)
    if looks[0][0] not in TYPES:
        raise Unusable("`%s` is of type %s, which no field holds" % (name, values[0].dtype))
    sizes = ["?" if len(set(each)) > 1 else str(each[0]) for each in zip(*shapes)]
    return "%s=%s:%s:%s" % (name, looks[0][0], "x".join(sizes) or "scalar", role)


def file_names(last):
    """Of the files, in the user's order without shuffles."""
    functions = Functions()
    paths = [os.path.abspath(os.fsdecode(element_of(last, i, functions)[0].numpy())) for i in range(length_of(last))]
    odd = [path for path in paths if set(path) & set("{}")]
    if odd:
        raise Unusable("the name of its file %s has braces, which a pipeline reads otherwise" % odd[0])
    return paths


class Pipeline:
    """The translation of a pipeline that `path` leads to in the user's file."""

    def __init__(self, module, dataset, path):
        self.translation = Translation(module)
        self.path = path
        self.stages = chain_of(dataset)
        self.samples = chain_of(samples_of(dataset))
        self.after = self.stages[len(self.samples):]  # the batches first
        self.first = next((i for i, each in enumerate(self.samples)
                           if kind_of_stage(each) == "TFRecord" or opens_records(each)), 0)  # the source's last stage
        source = self.samples[self.first]
        self.reads_records = kind_of_stage(source) == "TFRecord" or opens_records(source)
        self.rest = self.samples[self.first + 1:]
        caches = [each for each in self.rest if kind_of_stage(each) == "Cache" and not why_not_kept(each)]
        self.kept = caches[0] if caches else None
        self.order = []  # nodes

    def translate(self):
        self.check()
        self.source_line()
        for stage in self.rest:
            self.sample_line(stage)
        self.sample_nodes()
        self.batch_nodes()
        return self.translation

    def check(self):
        for stage in self.rest:
            if kind_of_stage(stage) not in SAME + CHOICES + ("Map",):
                raise unnumbered(stage)
        for stage in self.after[1:]:
            if kind_of_stage(stage) not in SAME + CHOICES + ("Map",):
                raise Unusable("it is measured by `millrace loader`, but cannot be imported: the stage `%s` changes "
                               "its batches" % name_of_stage(stage))
        source = self.samples[self.first]
        if not self.reads_records and kind_of_stage(source) in ("Zip", "Concatenate") and is_shuffled(source):
            raise Unusable("it is measured by `millrace loader`, but cannot be imported: what the stage `%s` joins is "
                           "shuffled" % name_of_stage(source))
        if not self.reads_records and length_of(self.samples[-1]) == 0:
            raise Unusable("its data set has no samples")

    def line(self, was, kinds, how, note=""):
        self.translation.lines.append({"was": was, "became": kinds, "how": how, "note": note})

    def node(self, kind, **parameters):
        self.translation.nodes.append({"kind": kind, "params": parameters})

    def path_of(self, stage):
        return self.path + "._input_dataset" * (len(self.stages) - 1 - self.stages.index(stage))

    def source_line(self):
        source = self.samples[self.first]
        if not self.reads_records:
            self.line(name_of_stage(source), ["python_dataset"], "yours", "no node reads it")
            return
        opened = kind_of_stage(source) != "TFRecord"
        names = source._input_dataset if opened else source._filenames
        self.paths = file_names(names)
        turns = kind_of_stage(source) == "Interleave" or not opened and source._num_parallel_reads is not None
        note = ""
        if len(self.paths) > 1 and is_shuffled(names):
            note = "the node reads the files in one order, and yours shuffles them"
        elif len(self.paths) > 1 and turns:
            note = "the node reads one file after the other, and yours several in turn"
        shown = os.path.basename(self.paths[0]) if len(self.paths) == 1 else "%d files" % len(self.paths)
        self.line("TFRecordDataset(%s)" % shown, ["tfrecord"], "differs" if note else "exact", note)

    def is_before_cache(self, stage):
        return self.kept is not None and self.stages.index(stage) < self.stages.index(self.kept)

    def sample_line(self, stage):
        """A line for a stage before the batches, and its node if it concerns the order."""
        kind, name = kind_of_stage(stage), name_of_stage(stage)
        if kind == "Map":
            inside = not self.reads_records and (self.kept is None or self.is_before_cache(stage))
            note = "TensorFlow's function, in a process for each worker"
            if not is_seeded(stage._map_func.function.graph.as_graph_def()):
                note = "it draws random numbers that do not depend on the pipeline's seed"
            self.line(name, ["python_dataset" if inside else "python"], "yours", note)
        elif kind == "Shuffle":
            self.shuffle_line(stage)
        elif kind == "Cache":
            why = "" if stage is self.kept else why_not_kept(stage) or "a pipeline keeps its samples once"
            self.line(name, [] if why else ["memory_cache"], "left out" if why else "exact", why)
        elif kind == "Repeat":
            self.line(name, [], "differs", "an epoch is one pass over the data, and batches do not reach into the next")
        elif kind in CHOICES:
            self.choice_line(stage)
        elif kind == "Prefetch":
            self.line(name, [], "exact", "workers are ahead of the batches anyway")

    def shuffle_line(self, stage):
        size, note = number(stage._buffer_size), ""
        if self.is_before_cache(stage) or stage._reshuffle_each_iteration is False:
            note = "yours keeps one order for all epochs, and the node draws one for each"
        self.order.append(("shuffle", {"mode": "window", "window": size}))
        self.line("shuffle(%d)" % size, ["shuffle"], "differs" if note else "exact", note)

    def choice_line(self, stage):
        """A data set of the user's chooses its samples; for records there are nodes."""
        kind = kind_of_stage(stage)
        if kind == "Shard":
            world, rank = number(stage._num_shards), number(stage._index)
            shown, node = "shard(%d, %d)" % (world, rank), ("shard", {"world": world, "rank": rank, "uneven": "allow"})
        else:
            count = number(stage._count)
            shown = "%s(%d)" % (name_of_stage(stage), count)
            node = ("take", {"count": count} if kind == "Take" else {"skip": count, "count": MOST})
            if count < 1:
                raise Unusable("no node does what the stage %s does" % shown)
        if self.reads_records:
            self.order.append(node)
            self.line(shown, [node[0]], "exact")
        elif self.order:
            self.line(shown, ["python_dataset"], "differs", "yours chooses from the shuffled samples in each epoch, "
                      "and the pipeline from the unshuffled ones")
        else:
            self.line(shown, ["python_dataset"], "yours", "the data set has only these samples")

    def sample_nodes(self):
        maps = [each for each in self.rest if kind_of_stage(each) == "Map"]
        calls = [number(each._num_parallel_calls) if hasattr(each, "_num_parallel_calls") else 1 for each in maps]
        last = self.samples[-1]
        begin = self.kept if self.kept is not None else last
        if self.reads_records:
            self.node("tfrecord", paths=self.paths, content="bytes")
            tensors = [[each] for each in self.samples[self.first].take(FEW)]
            if not tensors:
                raise Unusable("its files have no records")
        else:
            elements = Elements(begin)
            chosen = [elements[i] for i in sorted({0, len(elements) // 2, len(elements) - 1})]
            items = item_names(chosen[0])
            for item, name in zip(items, chosen[0]):
                declared(item, [each[name] for each in chosen])  # or it says why not
            self.node("python_dataset", dataset=self.path_of(begin), items=items, random=self.draws(maps, begin),
                      timeout=LIMIT_S)
        for kind, parameters in self.order:
            self.node(kind, **parameters)
        count = {} if AUTO in calls else {"count": max(calls, default=1)}
        self.node("workers", **count)
        self.line("num_parallel_calls=%s" % count.get("count", "AUTOTUNE") if set(calls) - {1} else
                  "one call after another", ["workers"], "exact")
        if self.reads_records:
            if not any(each in maps for each in self.stages[:self.stages.index(begin) + 1]):
                raise Unusable("no function is mapped to its records, and a batch cannot hold records")
            items, chosen = self.call(begin, tensors, ["record"], self.draws(maps, begin))
        if self.kept is not None:
            self.node("memory_cache")
            later = [each for each in maps if not self.is_before_cache(each)]
            if later:
                tensors = [[each[name] for name in each] for each in chosen]
                items, chosen = self.call(last, tensors, list(chosen[0]), any(map(draws_of, later)))
        self.sizes(items, chosen)

    def draws(self, maps, last):
        at = self.stages.index(last)
        return any(draws_of(each) for each in maps if self.stages.index(each) <= at)

    def call(self, last, tensors, fields, draws):
        """A node that calls what is mapped up to `last`: its results' names, and those of some samples."""
        mapped = Mapped(last)
        chosen = [mapped.named(mapped(*each)) for each in tensors]
        items = item_names(chosen[0])
        names = list(chosen[0])
        results = [declared(item, [each[name] for each in chosen]) for item, name in zip(items, names)]
        self.node("python", function=self.path_of(last), fields=fields, results=results, random=draws,
                  timeout=LIMIT_S, **{"as": "tensorflow"})
        if set(fields) - set(names):
            self.node("select", keep=names)
        return items, chosen

    def sizes(self, items, chosen):
        """The parts of a sample, and pictures of one size."""
        names = list(chosen[0])
        self.translation.parts = [(name, name) for name in names]
        for item, name in zip(items, names):
            if item.rpartition("=")[2] in PICTURES:
                self.translation.fix_sizes([name], [looks_of(each[name], "numpy")[1][:2] for each in chosen])

    def batch_nodes(self):
        if not self.after:
            self.node("batch")
            return
        batch = self.after[0]
        size, drops = number(batch._batch_size), bool(batch._drop_remainder.numpy())
        pads = kind_of_stage(batch) == "PaddedBatch"
        self.node("batch", size=size, drop_last=drops)
        self.line("%s(%d%s)" % (name_of_stage(batch), size, ", drop_remainder=True" if drops else ""), ["batch"],
                  "differs" if pads else "exact", "the node pads nothing unless its `pad_` settings say so" if pads
                  else "")
        for stage in self.after[1:]:
            kind, name = kind_of_stage(stage), name_of_stage(stage)
            if kind == "Prefetch":
                count = number(stage._buffer_size)
                self.node("prefetch", batches=2 if count == AUTO else max(1, count))
                self.line("prefetch(%s)" % ("AUTOTUNE" if count == AUTO else count), ["prefetch"], "exact")
            elif kind == "Repeat":
                self.line(name, [], "exact", "a run has as many epochs as it needs")
            elif kind in ("Map", "Shuffle", "Cache") + CHOICES:
                self.line(name, [], "left out", "a function of yours on whole batches: a `python_batch` node can call "
                          "one" if kind == "Map" else "no node does that to whole batches")
