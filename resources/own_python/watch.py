# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What a data set of the user's own does for a sample, seen while it does it: the files that it decodes, and
the transform that it calls.

If that is all it does, its samples are files for Millrace. Each picture that the transform gets, and each
part of the sample, is compared with what the nodes would give.
"""
import contextlib
import functools
import operator
import os
import sys
import types

import numpy

from millrace_own_python.centre import Draws, centred_objects
from millrace_own_python.chain import STEPS, Theirs, key_of
from millrace_own_python.files import Files
from millrace_own_python.transforms import fields_of, is_compose

FEW = 2000  # samples of which all files are decoded, if the short way fails
BLANK = 16  # side of a picture in place of a real one


class Read:
    """A file that was decoded, and the package that did it."""

    def __init__(self, path, package):
        self.path, self.package = os.path.abspath(os.fsdecode(path)), package


class Call:
    """Of the transform at `path`. `given` are its pictures, by keyword or with None; `results` are what they
    became."""

    def __init__(self, path, positional, named, result):
        self.path = path
        self.given = [(None, value) for value in positional if is_picture(value)] + [
            (key, value) for key, value in named.items() if is_picture(value)]
        if isinstance(result, dict):
            self.results = [result[key] for key, _ in self.given]
        else:
            self.results = list(result) if isinstance(result, (tuple, list)) else [result]


class Watch:
    """Records what happens inside; `blank`: no file is decoded, and no transform is called. `own_draws` are
    random numbers that are drawn outside the transforms."""

    def __init__(self, blank=False):
        self.blank = blank
        self.reads, self.calls, self.own_draws = [], [], 0
        self.paths = []  # of the transforms that were called

    def watched(self, owner, name, replacement):
        original = getattr(owner, name)
        try:
            setattr(owner, name, replacement(original))
        except AttributeError:
            raise Theirs("its attributes cannot be watched") from None
        return owner, name, original

    def opened(self, original):
        def opened(path, *more, **named):
            name = path if isinstance(path, (str, bytes, os.PathLike)) else getattr(path, "name", None)
            if not isinstance(name, (str, bytes, os.PathLike)) or not os.path.isfile(name):
                raise Theirs("its pictures do not come from files")
            self.reads.append(Read(name, "pillow"))
            image = original(path, *more, **named)
            if self.blank:
                import PIL.Image
                image = PIL.Image.new(image.mode, (BLANK, BLANK))
            return image
        return opened

    def imread(self, original):
        def imread(path, flags=1, *more):
            self.reads.append(Read(path, "opencv"))
            if self.blank:
                return numpy.zeros((BLANK, BLANK) if flags == 0 else (BLANK, BLANK, 3), numpy.uint8)
            return original(path, flags, *more)
        return imread

    def called(self, original, path):
        def called(*positional, **named):
            if not any(map(is_picture, (*positional, *named.values()))):  # of a label
                return original(*positional, **named)
            self.paths.append(path)
            if self.blank:
                return dict(named) if named else positional[0] if len(positional) == 1 else positional
            before = Draws.count
            result = original(*positional, **named)
            self.own_draws -= Draws.count - before
            self.calls.append(Call(path, positional, named, result))
            return result
        return called

    @contextlib.contextmanager
    def on(self, transforms):
        held = []
        before = Draws.count
        try:
            if "PIL.Image" in sys.modules:
                held.append(self.watched(sys.modules["PIL.Image"], "open", self.opened))
            if "cv2" in sys.modules:
                held.append(self.watched(sys.modules["cv2"], "imread", self.imread))
            for each in transforms:
                held.append(self.watched(each.owner, each.name, functools.partial(self.called, path=each.path)))
            yield self
        finally:
            self.own_draws += Draws.count - before
            for owner, name, original in held:
                setattr(owner, name, original)


class Transform:
    """What is called on pictures: an attribute of the data set, or a variable of the user's file."""

    def __init__(self, owner, name, path):
        self.owner, self.name, self.path = owner, name, path


def transforms_of(dataset, path, module):
    found = [Transform(dataset, name, "%s.%s" % (path, name)) for name, value in fields_of(dataset).items()
             if is_transform(value, name)]
    return found + [Transform(module, name, name) for name, value in vars(module).items()
                    if is_transform(value, "") and not isinstance(value, types.ModuleType)]


def is_transform(value, name):
    """Known, or called so."""
    if not callable(value) or isinstance(value, type):
        return False
    return is_compose(value) or key_of(value) in STEPS or "transform" in name.lower() or "augment" in name.lower()


def numbers_of(value):
    """A value as an array; one of objects if it holds something else than numbers."""
    if hasattr(value, "detach"):
        return value.detach().cpu().numpy()
    try:
        return numpy.asarray(value)
    except ValueError:  # lists of different lengths
        return numpy.empty((), object)


def array_of(value):
    """A picture as an array, with its channels last."""
    array = numbers_of(value)
    return array.transpose(1, 2, 0) if hasattr(value, "detach") and array.ndim == 3 else array


def is_picture(value):
    """Whether it is a PIL image, or an array or tensor that can be one."""
    if hasattr(value, "convert"):
        return True
    return (isinstance(value, numpy.ndarray) or hasattr(value, "detach")) and value.ndim in (2, 3)


def same(a, b):
    a, b = array_of(a), array_of(b)
    return a.shape == b.shape and bool(numpy.array_equal(a, b))


def decoded(read):
    """What the `decode` node gives for a file: (role, how, value), the usual first."""
    if read.package == "pillow":
        import PIL.Image
        image = PIL.Image.open(read.path)
        yield "image", "rgb", image.convert("RGB")
        if image.mode in ("L", "P", "1", "I;16"):
            yield "mask", "index", image
        yield "image", "grey", image.convert("L")
    else:
        import cv2
        found = cv2.imread(read.path, cv2.IMREAD_COLOR)
        yield "image", "rgb", cv2.cvtColor(found, cv2.COLOR_BGR2RGB)
        yield "mask", "index", cv2.imread(read.path, cv2.IMREAD_GRAYSCALE)


def class_of(value, name):
    """The number of a class; a whole number of an integer type."""
    array = array_of(value)
    if array.ndim > 0 or array.dtype.kind not in "iub":
        raise Theirs("the part `%s` of a sample is neither a picture nor the number of a class" % name)
    return int(array)


class Column:
    """A picture of a sample: which of the files it is, and how that is decoded."""

    def __init__(self, read, role, how, package):
        self.read, self.role, self.how, self.package = read, role, how, package

    def key(self):
        return self.read, self.role, self.how, self.package


def column_of(value, reads, what):
    for i, read in enumerate(reads):
        for role, how, expected in decoded(read):
            if same(value, expected):
                return Column(i, role, how, read.package)
    raise Theirs("%s is not what its files hold: its code changes them" % what)


def entries_of(item):
    """The parts of a sample by their names or places."""
    if isinstance(item, dict):
        return list(item.items())
    return list(enumerate(item if isinstance(item, (tuple, list)) else [item]))


class Applied:
    """The transform at `path` on some columns, by their names or in order."""

    def __init__(self, path, places, keywords, arrays):
        self.path, self.places, self.keywords, self.arrays = path, places, keywords, arrays

    def key(self):
        return self.path, self.places, self.keywords, self.arrays


class Seen:
    """What one sample showed: its pictures as `columns`, what was `applied` to them, and what each part of the
    sample is: the number of a column, "label", or None for what no field can hold."""

    def __init__(self, watch, item, used):
        if not watch.reads:
            raise Theirs("no file is decoded by Pillow or OpenCV when a sample is read")
        if watch.own_draws > 0:
            raise Theirs("its code draws random numbers outside a transform, or seeds them")
        self.columns, self.applied, results = [], [], []
        for call in watch.calls:
            places = []
            for _, value in call.given:
                places.append(self.add(value, watch, "a picture that `%s` gets" % call.path))
            self.applied.append(Applied(call.path, places, [key for key, _ in call.given],
                                        [not hasattr(value, "convert") for _, value in call.given]))
            results += list(zip(call.results, places))
        self.parts = {name: self.part(name, value, results, watch) for name, value in entries_of(item)
                      if used is None or name in used}
        if list(self.parts.values()).count("label") > 1:
            raise Theirs("a sample has several numbers")
        self.row = self.row_of(watch, item)

    def add(self, value, watch, what):
        self.columns.append(column_of(value, watch.reads, what))
        return len(self.columns) - 1

    def part(self, name, value, results, watch):
        if isinstance(value, (str, bytes)) or value is None:
            return None
        if not is_picture(value):
            class_of(value, name)
            return "label"
        for test in (operator.is_, same):  # two results may be equal when draws are centred
            for at, (result, place) in enumerate(results):
                if test(value, result):
                    del results[at]
                    return place
        return self.add(value, watch, "the part `%s` of a sample" % name)

    def row_of(self, watch, item):
        """The files of the pictures, and the class."""
        if watch.paths != [each.path for each in self.applied]:
            raise Theirs("it does not call the same transforms for each sample")
        if item is None:
            raise Theirs("some samples are None")
        if any(each.read >= len(watch.reads) for each in self.columns):
            raise Theirs("it keeps its pictures in memory")
        row = [watch.reads[each.read].path for each in self.columns]
        return row + [class_of(value, name) for name, value in entries_of(item)
                      if self.parts.get(name) == "label"]

    def form(self):
        return ([each.key() for each in self.columns], [each.key() for each in self.applied],
                list(self.parts.items()))


def seen(dataset, index, transforms, used, module):
    with centred_objects(dataset, module), Watch().on(transforms) as watch:
        item = dataset[index]
    return Seen(watch, item, used)


def rows_of(dataset, shape, transforms, blank):
    rows = []
    for i in range(len(dataset)):
        with Watch(blank).on(transforms) as watch:
            item = dataset[i]
        rows.append(shape.row_of(watch, item))
    return rows


def all_rows(dataset, shapes, transforms):
    """`shapes` are the samples that have been seen, by their indices."""
    shape = shapes[0]
    try:
        rows = rows_of(dataset, shape, transforms, blank=True)
    except Theirs:
        raise
    except Exception:  # its code needs real pictures
        rows = None
    if rows is None or any(rows[i] != each.row for i, each in shapes.items()):
        if len(dataset) > FEW:
            raise Theirs("its files cannot be listed without decoding them all")
        rows = rows_of(dataset, shape, transforms, blank=False)
    return rows


def names_of(columns):
    """The fields: one image, and a mask or a target."""
    names = []
    for column in columns:
        name = column.role if column.role not in names else "target" if "target" not in names else None
        if name is None or len(columns) > 2:
            raise Theirs("a sample has more pictures than an image with a mask or a target")
        names.append(name)
    if names == ["mask"]:  # a grey picture, and not a mask
        columns[0].role, columns[0].how = "image", "grey"
        names = ["image"]
    if "image" not in names:
        raise Theirs("a sample has no picture but a mask")
    return names


def steps_of(shape, names):
    """What is applied to which columns, for Files."""
    steps = []
    for each in shape.applied:
        fields = [names[place] for place in each.places]
        by_name = each.keywords[:1] != [None]
        if by_name and each.keywords != fields:
            raise Theirs("`%s` gets its pictures by the names %s" % (each.path, ", ".join(each.keywords)))
        steps.append((fields, each.path, "numpy" if each.arrays[0] else "pil", by_name))
    return steps


def watched_files(dataset, path, translation):
    """The samples as files. Raises Theirs if the data set does more than decode and call transforms."""
    used = translation.used
    transforms = transforms_of(dataset, path, translation.module)
    shapes = {i: seen(dataset, i, transforms, used, translation.module)
              for i in sorted({0, len(dataset) // 2, len(dataset) - 1})}
    shape = shapes[0]
    if any(each.form() != shape.form() for each in shapes.values()):
        raise Theirs("it does not do the same for each sample")
    names = names_of(shape.columns)
    first = shape.columns[names.index("image")]
    decode = {"orientation": "ignore" if first.package == "pillow" else "apply"}
    if first.how == "grey":
        decode["form"] = "grey"
    arrays = {place: array for each in shape.applied for place, array in zip(each.places, each.arrays)}

    def read(value, name):
        place = names.index(name)
        column = shape.columns[place]
        found = next(each for role, how, each in decoded(Read(value, column.package))
                     if (role, how) == (column.role, column.how))
        return numpy.asarray(found) if arrays.get(place) else found

    files = Files(dataset, names + (["label"] if "label" in shape.parts.values() else []),
                  all_rows(dataset, shapes, transforms), read, steps_of(shape, names), decode=decode,
                  package="OpenCV" if first.package == "opencv" else "Pillow")
    files.parts = [(str(name), "label" if part == "label" else names[part])
                   for name, part in shape.parts.items() if part is not None]
    files.lost = [str(name) for name, part in shape.parts.items() if part is None]
    return files
