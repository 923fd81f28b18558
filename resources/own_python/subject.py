# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The user's object: from the file's name to what is iterated over."""
import difflib
import importlib.util
import inspect
import os
import pickle
import sys
import types

from millrace_own_python.trouble import Unusable

DATA_LOADER = "PyTorch DataLoader"
TF_DATA = "tf.data.Dataset"
KERAS = "Keras PyDataset"
PICKLES = (".pkl", ".pickle")


def name_of(path):
    """Of the module that a file becomes."""
    return os.path.splitext(os.path.basename(path))[0]


def load(settings):
    path = settings["file"]
    name = name_of(path)
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    if path.endswith(PICKLES):
        return unpickled(path, name)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that workers that are started afresh find its classes
    spec.loader.exec_module(module)
    return module


def unpickled(path, name):
    """A module with the object in a file of pickle or cloudpickle as its `object`."""
    module = sys.modules[name] = types.ModuleType(name)
    with open(path, "rb") as file:
        module.object = pickle.load(file)
    return module


def named(module, name):
    """What a name such as `loader`, `Data.train`, `steps.2` or `make().dataset` means in a file."""
    found = module
    for part in name.split("."):
        called = part.endswith("()")
        part = part[:-2] if called else part
        if part.isdigit() and not isinstance(found, dict):
            found = found[int(part)]
            continue
        if isinstance(found, dict) and part in found:
            found = found[part]
            continue
        if not hasattr(found, part):
            names = [key for key in vars(module) if not key.startswith("_")]
            like = [key for key in names if key.lower() == name.lower()]
            like = like or difflib.get_close_matches(name, names, 1)
            raise Unusable("the file has no `%s`%s" % (
                name, "; did you mean `%s`?" % like[0] if like else ""))
        found = getattr(found, part)
        if called:
            found = found()
    return found


def class_names(thing):
    return ["%s.%s" % (kind.__module__, kind.__qualname__) for kind in type(thing).__mro__]


def is_iterable(thing):
    return hasattr(thing, "__iter__") and not isinstance(thing, type)


def is_iterable_dataset(thing):
    return any(name.startswith("torch.utils.data.") and name.endswith(".IterableDataset")
               for name in class_names(thing))


def is_pipeline(thing):
    """A tf.data.Dataset."""
    return any(name.startswith("tensorflow.") and "Dataset" in name for name in class_names(thing))


def is_indexable(thing):
    """An IterableDataset inherits a __getitem__ that only raises an error."""
    return hasattr(thing, "__getitem__") and hasattr(thing, "__len__") and not isinstance(
        thing, (type, str, bytes, dict)) and not is_iterable_dataset(thing)


def needs_arguments(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters
            if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def made(thing, name):
    """The object to iterate over, and the function that makes it again, or None."""
    if is_iterable(thing) or is_indexable(thing) or not callable(thing):
        return thing, None
    needed = needs_arguments(thing)
    if needed:
        raise Unusable("`%s` needs the argument%s %s: name a function without arguments that returns "
                       "the loader" % (name, "s" if len(needed) > 1 else "", ", ".join(needed)))
    return thing(), thing


def by_index(thing):
    """The items of a dataset, in order."""
    get = thing.__getitem__
    for i in range(len(thing)):
        yield get(i)
    if hasattr(thing, "on_epoch_end"):
        thing.on_epoch_end()


def kind_of(thing):
    """What it is for the user, whether each item is a single sample, and whether it is indexed."""
    if isinstance(thing, (str, bytes, dict)):
        raise Unusable("it is of type %s, not a loader or a dataset" % type(thing).__name__)
    names = class_names(thing)
    own = names[0].replace("builtins.", "")
    if any(n.startswith("torch.utils.data.") and n.endswith(".DataLoader") for n in names):
        return DATA_LOADER, False, False
    if is_iterable_dataset(thing):
        return "PyTorch IterableDataset", True, False
    if any(n.startswith("torch.utils.data.") and n.endswith(".Dataset") for n in names):
        return "PyTorch Dataset", True, True
    if is_pipeline(thing):
        return TF_DATA, False, False
    if any(n.startswith("keras.") and n.endswith((".PyDataset", ".Sequence")) for n in names):
        return KERAS, False, True
    if is_iterable(thing):
        return own, False, False
    if is_indexable(thing):
        return own, False, True
    raise Unusable("it is of type %s, which cannot be iterated over" % own)


def length_text(thing, unit):
    """Empty if it has none."""
    try:
        count = len(thing)
    except Exception:  # of the user's code, or of TensorFlow for a pipeline without an end
        return ""
    return "%d %s%s" % (count, unit, "" if count == 1 else "es" if unit.endswith("h") else "s")


def about(thing, unit):
    """What it is for the user, as names and texts. `unit`: of its items."""
    dataset = getattr(thing, "dataset", None)
    found = [("class", class_names(thing)[0]), ("length", length_text(thing, unit))]
    if dataset is not None:
        found.append(("data set", ", ".join(filter(None, [class_names(dataset)[0], length_text(dataset, "sample")]))))
    return [each for each in found if each[1]]


def versions():
    """The packages that matter for a loader, as far as the file has imported them."""
    found = {"python": "%d.%d.%d" % sys.version_info[:3]}
    for name in ("torch", "torchvision", "tensorflow", "keras", "numpy", "PIL", "cv2", "jax",
                 "datasets", "webdataset", "grain", "lightning", "nvidia.dali"):
        version = getattr(sys.modules.get(name), "__version__", None)
        if isinstance(version, str):
            found[name] = version
    return found


def workers_of(thing):
    count = getattr(thing, "num_workers", getattr(thing, "workers", None))
    return count if isinstance(count, int) else 0
