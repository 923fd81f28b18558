# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The functions that are timed, and how they are replaced while a batch is timed."""
import sys

from millrace_own_python.transforms import Transforms, is_function, name_of

# Module, class or "", function, step. Each is timed once its module has been imported.
KNOWN = [
    ("PIL.Image", "", "open", "open (PIL)"),
    ("PIL.ImageFile", "ImageFile", "load", "read and decode (PIL)"),
    ("PIL.TiffImagePlugin", "TiffImageFile", "load", "read and decode (PIL)"),
    ("PIL.WebPImagePlugin", "WebPImageFile", "load", "read and decode (PIL)"),
    ("cv2", "", "imread", "read and decode (cv2)"),
    ("cv2", "", "imdecode", "decode (cv2)"),
    ("torchvision.io", "", "read_file", "read (torchvision)"),
    ("torchvision.io", "", "read_image", "read and decode (torchvision)"),
    ("torchvision.io", "", "decode_image", "decode (torchvision)"),
    ("torchvision.io", "", "decode_jpeg", "decode (torchvision)"),
    ("torchvision.io", "", "decode_png", "decode (torchvision)"),
    ("numpy", "", "load", "numpy.load"),
    ("torch", "", "load", "torch.load"),
    ("h5py._hl.dataset", "Dataset", "__getitem__", "read (h5py)"),
]


class Place:
    """Holds a function, which is replaced while a batch is timed, unless it has become another."""

    def __init__(self, function):
        self.function = function
        self.before = self.held()

    def swap(self):
        if self.held() is not self.before:
            return False
        self.hold(self.function)
        return True

    def restore(self):
        if self.held() is self.function:
            self.hold(self.before)


class Attribute(Place):
    def __init__(self, owner, key, function):
        self.owner, self.key = owner, key
        super().__init__(function)

    def held(self):
        return vars(self.owner).get(self.key)

    def hold(self, value):
        if value is None:  # inherited
            delattr(self.owner, self.key)
        else:
            setattr(self.owner, self.key, value)


class Item(Place):
    """Of a list or dict."""

    def __init__(self, owner, index, function):
        self.owner, self.index = owner, index
        super().__init__(function)

    def held(self):
        try:
            return self.owner[self.index]
        except LookupError:
            return None

    def hold(self, value):
        self.owner[self.index] = value


class Places:
    """What is replaced while a batch is timed."""

    def __init__(self, times, dataset):
        self.times = times
        self.places = []
        self.seen = set()
        self.modules = 0
        self.names = []  # of the transforms
        classes = {}
        for owner, key, transform in Transforms(dataset).found:
            name = self.unique(name_of(transform))
            if is_function(transform):
                self.put(owner, key, times.timed(name, transform))
            else:
                classes.setdefault(type(transform), {})[id(transform)] = name
        for kind, names in classes.items():
            self.add_class(kind, names)

    def unique(self, name):
        same = sum(1 for each in self.names if each == name or each.rpartition(" ")[0] == name)
        self.names.append("%s %d" % (name, same + 1) if same else name)
        return self.names[-1]

    def put(self, owner, key, function):
        if isinstance(owner, (list, dict)):
            self.places.append(Item(owner, key, function))
        elif not isinstance(owner, tuple):
            self.places.append(Attribute(owner, key, function))

    def add_class(self, kind, names):
        original = kind.__call__
        timed = {key: self.times.timed(name, original) for key, name in names.items()}

        def call(self, *arguments, **keywords):
            return timed.get(id(self), original)(self, *arguments, **keywords)

        self.places.append(Attribute(kind, "__call__", call))

    def add_known(self):
        if len(sys.modules) == self.modules:
            return
        if "PIL.Image" in sys.modules:
            import PIL.ImageFile  # noqa: F401, which PIL itself imports with the first file
        self.modules = len(sys.modules)
        for known in KNOWN:
            module, kind, function, name = known
            owner = sys.modules.get(module)
            owner = getattr(owner, kind, None) if kind else owner
            original = getattr(owner, function, None)
            if original is None or known in self.seen:
                continue
            self.seen.add(known)
            if function in vars(owner):
                self.places.append(Attribute(owner, function, self.times.timed(name, original)))

    def swap(self):
        swapped = []
        for place in list(self.places):
            try:
                if place.swap():
                    swapped.append(place)
            except (AttributeError, TypeError):  # a class that cannot be changed
                self.places.remove(place)
        return swapped
