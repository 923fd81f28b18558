#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Reads what `millrace convert` writes with the formats' own libraries, and compares every sample.

    experiments/formats/read_back.py MILLRACE libraries|mosaicml|mxnet|dali

To be run by `read_back`, in an environment of requirements/NAME.txt. What samples should hold comes
from the files that were converted, never from Millrace. Prints a line a set and puts it into
read_back.csv next to this file; the first difference ends it.
"""
import argparse
import importlib.metadata
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "lib"))
sys.path.insert(0, str(HERE))
from pipelines import chain, keep_rows
import readers_of_others

# RecordIO's mark of a record, which its writer has to cut a record at.
RECORD_IO_MAGIC = (0xCED7230A).to_bytes(4, "little")
COLUMNS = ["what", "read by", "samples", "files", "bytes"]
ORDER = [f"{form}: {name}" for form, (_, _, names) in readers_of_others.FORMATS.items()
         for name in names]


class Program:
    def __init__(self, millrace, folder):
        self.millrace, self.folder = millrace, folder

    def run(self, *words):
        return subprocess.run([self.millrace, *map(str, words)], capture_output=True, text=True,
                              cwd=self.folder)

    def convert(self, source, target, form, *flags):
        """What it said, as JSON; or why it refused."""
        pipeline = self.folder / "source.millrace.json"
        pipeline.write_text(json.dumps(chain(source, ("batch", {"size": 1}), ("drain", {}))))
        done = self.run("convert", pipeline, target, "--to", form, "--json", *flags)
        return json.loads(done.stdout) if done.returncode == 0 else " ".join(done.stderr.split())


def made(said):
    if isinstance(said, str):
        raise SystemExit(said)


def photos(program):
    """Class folders. The first picture has the magic number of RecordIO after its end."""
    folder = program.folder / "photos"
    made(program.convert(("image_folder", {"paths": ["sample:imagenet"]}), folder, "folder"))
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    first = files[0].read_bytes()
    files[0].write_bytes(first + bytes(-len(first) % 4) + RECORD_IO_MAGIC + b"after it")
    classes = sorted({file.parent.name for file in files})
    samples = [{"key": f"{file.parent.name}/{file.stem}", "label": classes.index(file.parent.name),
                "class": file.parent.name, "image": file.read_bytes()} for file in files]
    return ("image_folder", {"paths": [str(folder)]}), samples


def masks(program):
    """Two folders of pictures with the same names."""
    folder = program.folder / "masks"
    source = ("paired_folders", {"input": "sample:camvid/images", "target": "sample:camvid/labels",
                                 "pair": "mask"})
    made(program.convert(source, folder, "folder"))
    pairs = zip(sorted((folder / "images").iterdir()), sorted((folder / "masks").iterdir()))
    samples = [{"key": image.stem, "image": image.read_bytes(), "mask": mask.read_bytes()}
               for image, mask in pairs]
    return ("paired_folders", {"input": str(folder / "images"), "target": str(folder / "masks"),
                               "pair": "mask"}), samples


def arrays(program):
    """Pixels, no file, of one shape."""
    file = program.folder / "arrays.npz"
    draw = np.random.default_rng(1)
    image = draw.integers(0, 256, (300, 32, 24, 3), np.uint8)
    label = draw.integers(0, 10, 300, np.int64)
    np.savez(file, image=image, label=label)
    samples = [{"key": f"arrays-{i:08}", "label": int(label[i]), "image": image[i].tobytes()}
               for i in range(len(label))]
    return ("numpy", {"paths": [str(file)]}), samples


def compare(what, samples, found):
    """Every sample once, with all of its fields. In its order where the library gives no keys."""
    by_key = {sample["key"]: sample for sample in samples}
    count = total = 0
    for got in found:
        wanted = by_key.pop(got["key"], None) if "key" in got else samples[count]
        if wanted is None:
            raise SystemExit(f"{what}: there is no sample {got['key']}, or it comes twice")
        missing = wanted.keys() - got.keys() - {"key", "class"}
        other = [name for name in got if got[name] != wanted.get(name)]
        if missing or other:
            raise SystemExit(f"{what}: {wanted['key']}: missing {missing}, different {other}")
        total += sum(len(value) for value in got.values() if isinstance(value, bytes))
        count += 1
    if count != len(samples):
        raise SystemExit(f"{what}: {count} of {len(samples)} samples")
    return count, total


def read_back(program, form, name, source, samples):
    """A row of the table."""
    read, packages, _ = readers_of_others.FORMATS[form]
    kind = form.split()[0]
    target = program.folder / f"{name}-{kind}"
    flags = ["--shard-size", "3M"]
    if kind == "lmdb":  # one file; pixels become PNG files of Datums, unless they are to stay
        flags = ["--raw"] if name == "arrays" else []
    made(program.convert(source, target, kind, *flags))
    what = f"{form}: {name}"
    count, total = compare(what, samples, read(target))
    files = sum(1 for file in target.rglob("*") if file.is_file())
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in packages)
    print(f"{what}: {count} samples, {files} files, {total} bytes equal, by {versions}", flush=True)
    return {"what": what, "read by": versions, "samples": count, "files": files, "bytes": total}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("millrace")
    parser.add_argument("libraries", choices=readers_of_others.LIBRARIES)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(str(pathlib.Path(arguments.millrace).resolve()), pathlib.Path(folder))
        sets = {make.__name__: make(program) for make in (photos, masks, arrays)}
        for form in readers_of_others.LIBRARIES[arguments.libraries]:
            for name in readers_of_others.FORMATS[form][2]:
                rows.append(read_back(program, form, name, *sets[name]))
        if arguments.libraries == "mosaicml":
            readers_of_others.hashes(program, sets["photos"][1])
    keep_rows(HERE / "read_back.csv", COLUMNS, ORDER, rows)


main()
