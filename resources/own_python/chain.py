# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The steps of a loader as nodes of a pipeline, found one after the other.

A part whose name begins with `of_` knows the objects of one package: it adds functions to STEPS and SOURCES
by the decorators below.
"""
import numpy

from millrace_own_python.centre import centred_objects
from millrace_own_python.transforms import is_function, name_of
from millrace_own_python.trouble import Unusable

STEPS = {}  # functions of a transform and the chain; by package and class, "torchvision.Resize"
SOURCES = {}  # functions of a dataset, its path and a Translation

MOST_TEXT = 64
COMPOSES = ("torchvision.Compose", "albumentations.Compose")  # they apply all their steps in order
SIZING = ("resize", "centre_crop", "random_crop", "random_resized_crop")
UNSKIPPABLE = SIZING + ("pad", "normalise")  # they change the size or the type of a picture
FREE = ("at_least", "at_most")  # the modes of a resize that keep the aspect ratio and the whole picture


def step(*names):
    def known(function):
        STEPS.update((name, function) for name in names)
        return function
    return known


def source(*names):
    def known(function):
        SOURCES.update((name, function) for name in names)
        return function
    return known


def key_of(thing):
    kind = thing if is_function(thing) else type(thing)
    name = getattr(kind, "__qualname__", type(thing).__qualname__)
    return "%s.%s" % ((getattr(kind, "__module__", "") or "").partition(".")[0], name)


def shown(thing):
    """The object as a line shows it: `Resize(size=256)`."""
    if is_function(thing):
        return name_of(thing)
    text = " ".join(repr(thing).split())
    if text.startswith("<"):
        text = type(thing).__name__
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT - 3] + "..."


class Theirs(Exception):
    """There is no node for a step; the text says why."""


class Became:
    """What a step became: nodes as (kind, parameters). `note` says what differs; empty: nothing. `before` is
    the kind of a node that they come before, if there is one. `choice`: the parameters of a `choose` node that
    names them."""

    def __init__(self, *nodes, note="", before="", choice=None):
        self.nodes, self.note, self.before, self.choice = list(nodes), note, before, choice


class Translation:
    """The nodes so far, and a line for each part of the loader."""

    def __init__(self, module):
        self.module = module  # the user's file
        self.used = None  # keys or places of the parts of a sample that are in batches; None: all
        self.nodes = []
        self.choices = []  # the parameters of `choose` nodes, without their nodes, which have the number
        self.lines = []
        self.chosen = None  # the samples that the loader's sampler selects, by their numbers; None: all
        self.rows = None  # of a manifest: paths and labels
        self.parts = []  # of a sample of the user's dataset: (key or place, field of the pipeline)
        self.dataset = ""  # the path to that dataset
        self.what = ""  # it is a part of: "PyTorch DataLoader"

    def add(self, was, nodes, how, note="", before=""):
        kinds = [each["kind"] for each in self.nodes]
        place = kinds.index(before) if before in kinds else len(kinds)
        self.nodes[place:place] = [{"kind": kind, "params": parameters} for kind, parameters in nodes]
        self.lines.append({"was": was, "became": [kind for kind, _ in nodes], "how": how, "note": note})

    def is_sized(self, name):
        """Whether the nodes so far give all pictures of a field the same size."""
        sized = False
        for node in self.nodes:
            acted = node["params"].get("fields") or [name]
            if node["kind"] in SIZING and name in acted:
                sized = node["params"].get("mode") not in FREE or sized
            for entry in node["params"].get("results", []) if node["kind"] == "python" else []:
                if entry.startswith(name + "="):
                    sized = "?" not in entry
        return sized

    def fix_sizes(self, names, sizes):
        """A batch holds pictures of one size. `sizes` are (height, width) of the first field in some
        samples, after `decode` or the source."""
        loose = [name for name in names if not self.is_sized(name)]
        if not loose:
            return
        if len(set(map(tuple, sizes))) > 1:
            self.add("pictures of different sizes", [], "left out", "a batch holds one size: add a resize or a "
                     "crop to the pipeline, or set `pad_height` and `pad_width` of the batch")
            return
        kinds = [each["kind"] for each in self.nodes]
        after = kinds.index("decode" if "decode" in kinds else "workers") + 1
        height, width = sizes[0]
        self.nodes.insert(after, {"kind": "centre_crop", "params": {"height": height, "width": width}})
        self.lines.append({"was": "pictures of %d x %d" % (height, width), "became": ["centre_crop"], "how": "exact",
                           "note": "it cuts nothing; the pipeline must know the size"})

    def became(self, was, became):
        first = len(self.nodes)
        self.add(was, became.nodes, "differs" if became.note else "exact", became.note, became.before)
        if became.choice is None:
            return
        for node in self.nodes[first:]:
            node["choice"] = len(self.choices)
        self.choices.append(became.choice)
        self.lines[-1]["became"].insert(0, "choose")


def looks_of(value, form):
    """Type and shape as Millrace sees the value between nodes, with pictures of height x width x channels."""
    array = numpy.asarray(value)
    kind = {"float32": "f32", "float64": "f64", "float16": "f16"}.get(array.dtype.name)
    kind = kind or array.dtype.name.replace("uint", "u").replace("int", "i").replace("bool", "u8")
    shape = list(array.shape)
    if form == "torch" and len(shape) == 3:
        shape = shape[1:] + shape[:1]
    elif form != "torch" and len(shape) == 2:
        shape = shape + [1]
    return kind, shape


class Chain:
    """The steps of one picture, or of pictures that are transformed together.

    `values` are a few samples, each a dict of its pictures, which go through each step when it is found:
    what a step of the user's own returns is seen there. `everything`: these are all pictures of a sample.
    """

    def __init__(self, translation, fields, values, form, by_name=False, everything=True):
        self.translation = translation
        self.fields = fields
        self.values = values
        self.form = form  # what the steps get: pil, torch or numpy
        self.by_name, self.everything = by_name, everything
        self.unit = False  # white is 1
        self.normalised = False

    def add(self, path, transform):
        if transform is not None:
            self.add_all(*self.unrolled(path, transform))

    @staticmethod
    def unrolled(path, transform):
        """The paths of the steps of a Compose, and the steps; another object is one step."""
        key = key_of(transform)
        if key in COMPOSES and getattr(transform, "p", 1) >= 1:
            steps = list(transform.transforms)
            return ["%s.transforms.%d" % (path, i) for i in range(len(steps))], steps
        if key == "torch.Sequential":
            return ["%s.%d" % (path, i) for i in range(len(transform))], list(transform)
        return [path], [transform]

    def add_all(self, paths, transforms):
        for path, transform in zip(paths, transforms):
            inner = self.unrolled(path, transform)
            if inner[1] == [transform]:
                self.add_one(path, transform)
            else:
                self.add_all(*inner)

    def add_one(self, path, transform):
        known = STEPS.get(key_of(transform))
        why = "there is no node for it"
        became = None
        try:
            became = known(transform, self) if known else None
        except Theirs as reason:
            why = str(reason)
        if became is None:
            self.add_theirs(path, transform, why)
        else:
            self.advance(transform)
            self.became(shown(transform), became)

    def became(self, was, became):
        self.translation.became(was, Became(*(self.on_fields(kind, node) for kind, node in became.nodes),
                                            note=became.note, before=became.before, choice=became.choice))

    def on_fields(self, kind, node):
        """A node that acts on these pictures only."""
        return kind, node if self.everything else dict(node, fields=list(self.fields))

    def advance(self, transform):
        with centred_objects(transform):
            self.values = [self.applied(transform, each) for each in self.values]

    def applied(self, transform, value):
        if self.by_name:
            result = transform(**value)
            return {name: result[name] for name in self.fields}
        if len(self.fields) == 1:
            return {self.fields[0]: transform(value[self.fields[0]])}
        return dict(zip(self.fields, transform(*(value[name] for name in self.fields))))

    def looks(self, value):
        return {name: looks_of(each, self.form) for name, each in value.items()}

    def is_at_least(self, height, width):
        """Whether the last node makes pictures of at least this size."""
        last = self.translation.nodes[-1] if self.translation.nodes else {"kind": ""}
        return (last["kind"] == "resize" and last["params"]["mode"] != "at_most"
                and last["params"]["height"] >= height and last["params"]["width"] >= width)

    def becomes(self, form):
        self.form = form

    def flush(self):
        """Values from 0 to 1 that a later step of the user's own gets."""
        if self.unit and not self.normalised:
            self.node("normalise", {"mean": [0.0], "deviation": [1.0]})
            self.normalised = True

    def among(self, transforms, choice):
        """What a step became that applies some of these transforms: a node for each, and the choice."""
        state = self.form, self.unit, self.normalised
        nodes, notes = [], []
        try:
            for each in transforms:
                known = STEPS.get(key_of(each))
                became = known(each, self) if known else Became()
                if len(became.nodes) != 1 or became.choice or became.before or became.nodes[0][0] in UNSKIPPABLE:
                    raise Theirs("`%s` in it is not a node that samples can skip" % shown(each))
                nodes += became.nodes
                notes += [became.note] if became.note else []
        except Theirs:
            self.form, self.unit, self.normalised = state
            raise
        return Became(*nodes, note="; ".join(dict.fromkeys(notes)), choice=choice)

    def add_theirs(self, path, transform, why):
        self.flush()
        form = self.form
        before = [self.looks(each) for each in self.values]
        self.advance(transform)
        if any(hasattr(value, "detach") for value in self.values[0].values()):
            self.becomes("torch")
        elif any(hasattr(value, "convert") for value in self.values[0].values()):
            self.becomes("pil")
        after = [self.looks(each) for each in self.values]
        results = [self.result(name, [each[name] for each in before], [each[name] for each in after])
                   for name in self.fields]
        parameters = {"function": path, "as": form, "fields": list(self.fields)}
        if self.by_name:
            parameters["by_name"] = True
        if any("=" in each for each in results):
            parameters["results"] = results
        self.translation.add(shown(transform), [("python", parameters)], "yours", why)

    @staticmethod
    def result(name, before, after):
        """What a step returns for a field, as NAME or NAME=TYPE:SHAPE."""
        if before == after:
            return name
        kinds, ranks = {kind for kind, _ in after}, {len(shape) for _, shape in after}
        if len(kinds) > 1 or len(ranks) > 1:
            raise Unusable("a step returns another type or number of dimensions for other samples")
        sizes = zip(*(shape for _, shape in after))
        return "%s=%s:%s" % (name, kinds.pop(), "x".join(
            "?" if len(set(each)) > 1 else str(each[0]) for each in sizes))

    def end(self):
        """The nodes for the type and the order of axes that the last step returned."""
        if self.form != "torch" or self.fields == ["label"]:
            return
        kind = looks_of(self.values[0][self.fields[0]], self.form)[0]
        if kind not in ("u8", "f16", "f32"):
            raise Theirs("its pictures become %s" % kind)
        self.node("precision", {"dtype": kind, "layout": "nchw"})

    def node(self, kind, parameters):
        kind, parameters = self.on_fields(kind, parameters)
        self.translation.nodes.append({"kind": kind, "params": parameters})
