# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""A tf.data pipeline by its live objects: its stages, and its elements by their numbers.

An element is a flat list of tensors, as TensorFlow passes it from stage to stage. The functions that are mapped
are called as TensorFlow has traced them, so that they do what they do in the pipeline.
"""
import re

from millrace_own_python.tf_draws import is_random, is_seeded, seeded
from millrace_own_python.tf_graph import short
from millrace_own_python.trouble import Unusable

SAME = ("Prefetch", "Options", "AssertCardinality", "Shuffle", "Repeat", "Cache")  # an element stays as it was
CHOICES = ("Take", "Skip", "Shard")
BATCHES = ("Batch", "PaddedBatch")
SOURCES = ("TensorSlice", "Range")  # whose elements have numbers
METHODS = {"TensorSlice": "from_tensor_slices", "Tensor": "from_tensors", "Generator": "from_generator",
           "Restructured": "unbatch"}


def kind_of_stage(stage):
    """"Map" of a _ParallelMapDataset."""
    return short(type(stage).__name__.lstrip("_"))


def function_name(stage):
    """Of the user's function; empty for a lambda."""
    name = getattr(getattr(stage._map_func, "_func", None), "__name__", "<lambda>")
    return "" if name == "<lambda>" else name


def name_of_stage(stage):
    """As the user wrote it: "map parse"."""
    kind = kind_of_stage(stage)
    if kind == "TFRecord":
        return "TFRecordDataset"
    if hasattr(stage, "_map_func") and function_name(stage) == "flat_map_fn":  # of TensorFlow itself
        return "from_generator"
    name = METHODS.get(kind) or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower()
    return " ".join([name, function_name(stage)]).rstrip() if hasattr(stage, "_map_func") else name


def chain_of(dataset):
    """The stages from the first to the last that can be seen one by one."""
    stages = [dataset]
    while getattr(stages[-1], "_input_dataset", None) is not None and kind_of_stage(stages[-1]) != "Concatenate":
        stages.append(stages[-1]._input_dataset)
    return stages[::-1]


def samples_of(dataset):
    """The last stage before the first batches; the last of all without any."""
    for stage in chain_of(dataset):
        if kind_of_stage(stage) in BATCHES:
            return stage._input_dataset
    return dataset


def number(tensor):
    """Of an argument that TensorFlow keeps as a tensor."""
    return int(tensor.numpy())


def inner(stage):
    return stage._input_dataset


def parts(stage):
    """The pipelines that a zip or a concatenation joins."""
    if kind_of_stage(stage) == "Concatenate":
        return [stage._input_dataset, stage._dataset_to_concatenate]
    import tensorflow as tf
    return tf.nest.flatten(stage._datasets)


def unnumbered(stage):
    return Unusable("it is measured by `millrace loader`, but cannot be imported: the stage `%s` gives its elements "
                    "one after another, and nodes ask for them by number" % name_of_stage(stage))


def length_of(stage):
    """The number of its elements in one pass over the data."""
    kind = kind_of_stage(stage)
    if kind == "TensorSlice":
        return int(stage._tensors[0].shape[0])
    if kind == "Range":
        return len(range(number(stage._start), number(stage._stop), number(stage._step)))
    if kind == "Zip":
        return min(map(length_of, parts(stage)))
    if kind == "Concatenate":
        return sum(map(length_of, parts(stage)))
    if kind not in SAME + CHOICES + ("Map",):
        raise unnumbered(stage)
    length = length_of(inner(stage))
    if kind == "Take":
        return length if number(stage._count) < 0 else min(length, number(stage._count))
    if kind == "Skip":
        return 0 if number(stage._count) < 0 else max(0, length - number(stage._count))
    if kind == "Shard":
        return len(range(number(stage._index), length, number(stage._num_shards)))
    return length


def element_of(stage, i, functions):
    """Element `i`, in the order without shuffles. `functions` are those of the stages that map."""
    kind = kind_of_stage(stage)
    if kind == "TensorSlice":
        return [tensor[i] for tensor in stage._tensors]
    if kind == "Range":
        import tensorflow as tf
        return [tf.constant(number(stage._start) + i * number(stage._step), stage._output_type)]
    if kind == "Zip":
        return [tensor for part in parts(stage) for tensor in element_of(part, i, functions)]
    if kind == "Concatenate":
        first, second = parts(stage)
        length = length_of(first)
        return element_of(first, i, functions) if i < length else element_of(second, i - length, functions)
    if kind == "Map":
        return functions.call(stage, element_of(inner(stage), i, functions))
    if kind == "Skip":
        i += number(stage._count)
    elif kind == "Shard":
        i = number(stage._index) + i * number(stage._num_shards)
    return element_of(inner(stage), i, functions)


class Functions:
    """The functions of the stages that map. What they draw in TensorFlow is drawn from `seed`, if it can be."""

    def __init__(self):
        self.seed = 0
        self.made = {}  # by the stage's id

    def call(self, stage, tensors):
        made = self.made.get(id(stage))
        if made is None:
            made = self.made[id(stage)] = self.function_of(stage)
        return list(made(*tensors))

    def function_of(self, stage):
        function = stage._map_func.function
        if not any(map(is_random, operations_of(stage))) or not is_seeded(function.graph.as_graph_def()):
            return function
        drawing = seeded(function)
        return lambda *tensors: drawing(self.seed, *tensors)


def field_name(path):
    """A field of Millrace has lower-case letters, digits and _, beginning with a letter."""
    name = re.sub(r"[^a-z0-9]+", "_", "_".join(map(str, path)).lower()).strip("_")
    return name if name[:1].isalpha() else ("part_" + name).rstrip("_")


def leaves_of(spec, path=()):
    """(path, type) of each tensor of an element, in TensorFlow's order."""
    if isinstance(spec, dict):
        return [leaf for key in sorted(spec) for leaf in leaves_of(spec[key], path + (key,))]
    if isinstance(spec, (tuple, list)):
        return [leaf for i, each in enumerate(spec) for leaf in leaves_of(each, path + (i,))]
    if type(spec).__name__ != "TensorSpec":
        raise Unusable("an element holds a %s, which no field can" % type(spec).__name__.replace("Spec", ""))
    return [(path, spec)]


class Elements:
    """The elements of a pipeline without batches by their numbers, as dicts of arrays. Texts are left out."""

    def __init__(self, stage):
        self.stage = stage
        self.functions = Functions()
        self.fields = fields_of(stage.element_spec)
        self.length = length_of(stage)

    def set_random_seed(self, seed):
        self.functions.seed = seed

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        tensors = element_of(self.stage, i, self.functions)
        return {name: tensors[place].numpy() for place, name in self.fields}


def is_text(spec):
    return spec.dtype.name == "string"


def fields_of(spec):
    """(place in the flat element, name of the field) of all parts but texts."""
    leaves = leaves_of(spec)
    names = []
    for path, leaf in leaves:
        name = field_name(path) if any(isinstance(key, str) for key in path) else usual_name(leaf, names)
        names.append(name if name not in names else "%s_%d" % (name, len(names)))
    return [(place, name) for place, (name, (_, leaf)) in enumerate(zip(names, leaves)) if not is_text(leaf)]


def usual_name(spec, names):
    """Of a part that has none: a picture is the image, then the target; a whole number is the label."""
    rank = spec.shape.rank
    if rank == 3 and spec.dtype.name in ("uint8", "float32"):
        return "image" if "image" not in names else "target"
    return "label" if rank == 0 and spec.dtype.is_integer else "features"


def operations_of(stage):
    """The names of the operations in a mapped function, and in those that it calls."""
    graph = stage._map_func.function.graph.as_graph_def()
    inside = [node for function in graph.library.function for node in function.node_def]
    return {node.op for node in list(graph.node) + inside}


def draws_of(stage):
    """Why a mapped function may return something else for the same element; empty: it does not."""
    operations = operations_of(stage)
    if any("PyFunc" in each for each in operations):
        return "calls Python code"
    return "draws random numbers" if any(map(is_random, operations)) else ""


def why_not_kept(cache):
    """Why no node keeps what a cache keeps; empty: one does."""
    if cache._filename.numpy():
        return "no node keeps samples in a file of TensorFlow's"
    before = chain_of(cache)[:-1]
    for stage in before:
        if kind_of_stage(stage) == "Map" and draws_of(stage):
            return "it keeps one result of `%s`, which %s" % (name_of_stage(stage), draws_of(stage))
    texts = any(is_text(spec) for _, spec in leaves_of(cache.element_spec))
    return "it keeps a text, which no field holds" if texts else ""


class Mapped:
    """Some stages that map, as one function of the parts of an element."""

    def __init__(self, last):
        """The stages up to `last`, after the source or what a node keeps."""
        self.stages = []
        for stage in reversed(chain_of(last)):
            kind = kind_of_stage(stage)
            if kind == "Map":
                self.stages.insert(0, stage)
            elif kind not in SAME + CHOICES or kind == "Cache" and not why_not_kept(stage):
                break
        self.functions = Functions()
        self.fields = fields_of(last.element_spec)

    def set_random_seed(self, seed):
        self.functions.seed = seed

    def __call__(self, *tensors):
        for stage in self.stages:
            tensors = self.functions.call(stage, tensors)
        results = [tensors[place] for place, _ in self.fields]
        return results if len(results) > 1 else results[0]

    def named(self, results):
        """The results of a call as arrays by the names of their fields."""
        results = results if len(self.fields) > 1 else [results]
        return {name: result.numpy() for (_, name), result in zip(self.fields, results)}
