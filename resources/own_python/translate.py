# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Writes a user's loader as nodes of a pipeline, for `millrace import` (core/translate).

It looks at the objects that the file makes, never at its text.
"""
import csv

import numpy

from millrace_own_python.centre import Draws, centre_draws
from millrace_own_python.chain import Theirs, Translation, looks_of, shown
from millrace_own_python.files import title
from millrace_own_python.guarded import guarded
from millrace_own_python.items import item_names
from millrace_own_python.known import known_source, learn
from millrace_own_python.subject import (DATA_LOADER, KERAS, TF_DATA, is_indexable, is_iterable, kind_of, load, made, named,
                                         versions)
from millrace_own_python.trouble import Unusable
from millrace_own_python.watch import entries_of, numbers_of

ORDERS = {"SequentialSampler": [], "RandomSampler": ["shuffle"], "SubsetRandomSampler": ["shuffle"],
          "DistributedSampler": ["shuffle", "shard"]}


def sampler_of(loader):
    """The sampler, whose order batches follow; None for a batch_sampler of the user's own."""
    if type(loader.batch_sampler).__module__.partition(".")[0] == "torch":
        return loader.batch_sampler.sampler
    return loader.sampler if loader.batch_sampler is None else None


def chosen_indices(loader):
    """The samples that a sampler selects, by their numbers; None: all. Draws are centred, so that a random
    order is the one in which the samples are selected."""
    sampler = sampler_of(loader)
    if not isinstance(sampler, (list, tuple, range)) and type(sampler).__name__ not in (
            "SubsetRandomSampler", "DistributedSampler"):
        return None
    return [int(i) for i in sampler]


def order_of(loader, translation):
    """The nodes of the loader's sampler."""
    sampler = sampler_of(loader)
    name = type(sampler).__name__ if sampler is not None else type(loader.batch_sampler).__name__
    note = ""
    kinds = ORDERS.get(name)
    if isinstance(sampler, (list, tuple, range)):
        kinds = []
    elif kinds is None or type(sampler).__module__.partition(".")[0] != "torch":
        kinds, note = ["shuffle"], "no node has this order: all samples are shuffled"
    elif getattr(sampler, "replacement", False) or getattr(sampler, "_num_samples", None) is not None:
        note = "no node draws samples with replacement: each comes once in an epoch"
    elif name == "DistributedSampler" and not sampler.shuffle:
        kinds = ["shard"]
    nodes = [(kind, {"world": sampler.num_replicas, "rank": sampler.rank} if kind == "shard" else {})
             for kind in kinds]
    translation.add(name, nodes, "differs" if note else "exact", note)


def has_collate(loader):
    from torch.utils.data import default_collate
    return loader.batch_size is not None and loader.collate_fn is not default_collate


def stacked(leaf, items, name):
    """Whether a part of a batch is that part of its samples, stacked."""
    parts = [numbers_of(dict(entries_of(item))[name]) for item in items]
    rows = numbers_of(leaf)
    if any(each.dtype.kind not in "iufb" for each in [rows] + parts):
        return False
    return rows.shape == (len(parts),) + parts[0].shape and all(
        numpy.array_equal(row, part) for row, part in zip(rows, parts))


def parts_in_batches(loader):
    """Which parts of its samples the user's collate_fn stacks, if it does nothing else; None: not known."""
    items = [loader.dataset[i] for i in (0, len(loader.dataset) - 1)]
    before = Draws.count
    try:
        leaves = [leaf for _, leaf in entries_of(loader.collate_fn(list(items)))]
        names = [name for name, _ in entries_of(items[0])]
        found = [next(name for name in names if stacked(leaf, items, name)) for leaf in leaves]
    except Exception:  # it wants other samples than these two, or it does more
        return None
    return found if len(set(found)) == len(found) and Draws.count == before else None


def batches_of(loader, translation):
    """The nodes that make batches, and the processes that work on them."""
    batches = loader.batch_sampler
    known = type(batches).__module__.partition(".")[0] == "torch"
    size = batches.batch_size if known else getattr(batches, "batch_size", loader.batch_size or 1)
    drops = bool(batches.drop_last if known else loader.drop_last)
    note = ""
    if batches is None:
        note = "the loader makes no batches; a pipeline does, here of one sample"
    elif not known:
        note = "the batch_sampler is not used: batches have %s samples" % size
    translation.add("batch_size=%s%s" % (size, ", drop_last=True" if drops else ""),
                    [("batch", {"size": int(size), "drop_last": drops})], "differs" if note else "exact", note)
    if loader.worker_init_fn is not None:
        translation.add("worker_init_fn=%s" % shown(loader.worker_init_fn), [], "left out",
                        "a pipeline's workers are not processes; draws depend on the sample alone")
    if has_collate(loader):
        names = ", ".join("`%s`" % name for name in translation.used or [])
        translation.add("collate_fn=%s" % shown(loader.collate_fn), [], "exact" if names else "left out",
                        "it stacks %s" % names if names else "no node calls a function of yours on a batch")
    if loader.num_workers > 0:
        translation.add("prefetch_factor=%d" % loader.prefetch_factor,
                        [("prefetch", {"batches": max(1, int(loader.prefetch_factor))})], "exact")
    if loader.pin_memory:
        translation.add("pin_memory=True", [("transfer", {})], "exact")


def own_source(dataset, path, translation, before, why):
    """The data set as a node that calls it."""
    if not is_indexable(dataset):
        why = ("gives its samples one after another, and nodes ask for them by number"
               if is_iterable(dataset) else "has no __getitem__ and __len__")
        raise Unusable("it is measured by `millrace loader`, but cannot be imported: its data set is of type "
                       "%s, which %s" % (type(dataset).__name__, why))
    if len(dataset) == 0:
        raise Unusable("its data set has no samples")
    item = dataset[0]
    names = item_names(item)
    keys = [each.partition("=")[0] for each in names]
    places = keys if isinstance(item, dict) else map(str, range(len(keys)))
    translation.parts = list(zip(places, keys))
    translation.add(title(dataset), [("python_dataset", {"dataset": path, "items": names})], "yours", why)
    before()
    fields = [key for key, entry in zip(keys, names) if entry.rpartition("=")[2] in ("image", "target", "mask")]
    if not fields:
        return
    place = keys.index(fields[0])
    chosen = [dataset[i] for i in sorted({0, len(dataset) // 2, len(dataset) - 1})]
    pictures = [[value for _, value in entries_of(each) if not isinstance(value, str)][place] for each in chosen]
    form = "torch" if hasattr(pictures[0], "detach") else "numpy"
    translation.fix_sizes(fields, [looks_of(each, form)[1][:2] for each in pictures])
    for field in fields if form == "torch" else []:
        value = [value for _, value in entries_of(item) if not isinstance(value, str)][keys.index(field)]
        kind, _ = looks_of(value, form)
        translation.nodes.append({"kind": "precision", "params": {
            "dtype": kind, "layout": "nchw", "fields": [field]}})


def translated(module, thing, path):
    translation = Translation(module)
    if isinstance(thing, (tuple, list, dict)) and any(hasattr(each, "batch_sampler") for each in (
            thing.values() if isinstance(thing, dict) else thing)):
        keys = list(thing) if isinstance(thing, dict) else range(len(thing))
        raise Unusable("`%s` is a %s of several loaders: name one, such as `%s.%s`" % (
            path, type(thing).__name__, path, keys[0]))
    what, _, _ = kind_of(thing)
    if what == KERAS:
        raise Unusable("it is measured by `millrace loader`, but cannot be imported: a Keras PyDataset makes whole "
                       "batches, and a pipeline is made of samples")
    if what == TF_DATA:
        from millrace_own_python.tf_nodes import Pipeline
        translation = Pipeline(module, thing, path).translate()
        translation.dataset, translation.what = path, what
        translation.nodes.append({"kind": "drain", "params": {}})
        return translation
    loader = thing if what == DATA_LOADER else None
    dataset = thing.dataset if loader is not None else thing
    translation.dataset = path + ".dataset" if loader is not None else path
    translation.what = what

    def before():
        if loader is not None:
            order_of(loader, translation)
            translation.add("num_workers=%d" % loader.num_workers,
                            [("workers", {"count": max(1, loader.num_workers)})], "exact")
        else:
            translation.nodes.append({"kind": "workers", "params": {}})

    if loader is not None and has_collate(loader) and is_indexable(dataset) and len(dataset) > 1:
        translation.used = parts_in_batches(loader)
    translation.chosen = chosen_indices(loader) if loader is not None else None
    selects = translation.chosen is not None and type(sampler_of(loader)).__name__ != "DistributedSampler"
    try:
        found = known_source(dataset, translation.dataset, translation)
        if selects:
            found.only(translation.chosen)
        found.translate(translation, before)
    except Theirs as why:
        if selects:
            raise Unusable("its sampler selects samples by their numbers, and its data set stays yours: use a "
                           "Subset in the file") from None
        translation.lines, translation.nodes, translation.choices, translation.rows = [], [], [], None
        own_source(dataset, translation.dataset, translation, before, str(why))
    if loader is not None:
        batches_of(loader, translation)
    else:
        translation.nodes.append({"kind": "batch", "params": {}})
    translation.nodes.append({"kind": "drain", "params": {}})
    return translation


def told(node):
    """A node with what Millrace has to know of its parameters: whether it calls the user's code, and which are
    lists of paths."""
    kind = node["kind"]
    return dict(node, own=kind in ("python", "python_dataset"),
                paths=["paths"] if kind in ("image_folder", "manifest", "tfrecord") else [])


def write_rows(rows, path):
    with open(path + ".part", "w", newline="", encoding="utf-8", errors="surrogateescape") as file:
        csv.writer(file).writerows(rows)


def run(lines, settings):
    module = load(settings)
    lines.phase = "make"
    thing, maker = made(named(module, settings["name"]), settings["name"])
    lines.phase = "translate"
    learn()
    centre_draws()
    result = translated(module, thing, settings["name"] + ("()" if maker is not None else ""))
    if result.rows is not None:
        write_rows(result.rows, settings["list_file"])
        for node in result.nodes:
            if node["kind"] == "manifest":
                node["params"]["paths"] = [settings["list_file"]]
    lines.tell("translation", what=result.what, versions=versions(), nodes=[told(node) for node in result.nodes],
               choices=result.choices, lines=result.lines, parts=result.parts, chosen=result.chosen, dataset=result.dataset,
               listed=result.rows is not None,
               centred=all(node["kind"] != "python_dataset" for node in result.nodes))


def main(settings):
    guarded(run, settings)
