# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Targets that are, contain or lie inside what is read."""

import shutil

from lab import attack, digest, tree

CONVERTED = ("folder", "mds", "lmdb", "webdataset", "tfrecord", "recordio")


def unchanged(lab, place, before, what):
    now = tree(place) if place.is_dir() else digest(place) if place.exists() else None
    lab.expect(now == before, f"{what}: the source was changed")


@attack("a conversion onto, into and around its source")
def conversions(lab):
    photos = lab.photos()
    before = tree(photos)
    (lab.inside / "alias").symlink_to("photos")
    for kind in lab.some(CONVERTED, 2):
        for target in ("photos", "photos/", "photos/../photos", "alias", str(photos), ".", "..", "photos/train"):
            lab.run("convert", "photos", target, "--to", kind, "--force", codes=(1, 2))
            unchanged(lab, photos, before, f"convert photos {target} --to {kind} --force")
        lab.run("convert", "photos", f"photos/{kind}", "--to", kind)
        shutil.rmtree(photos / kind, ignore_errors=True)
        (photos / kind).unlink(missing_ok=True)
        for left in photos.glob("*"):
            if left.name != "train" and left.name != "validation" and left.name not in {k.split("/")[0] for k in before}:
                lab.fault(f"convert photos photos/{kind} left {left.name}")
                left.unlink() if left.is_file() else shutil.rmtree(left)


@attack("a container converted onto itself")
def containers(lab):
    lab.photos()
    for kind in lab.some(CONVERTED[1:], 2):
        lab.run("convert", "photos", "own", "--to", kind, codes=(0,))
        place = lab.inside / "own"
        before = tree(place) if place.is_dir() else digest(place)
        for target in ("own", "./own", str(place)):
            lab.run("convert", "own", target, "--to", kind, "--force", codes=(1, 2))
            unchanged(lab, place, before, f"convert own {target} --to {kind} --force")
        shutil.rmtree(place) if place.is_dir() else place.unlink()
        for side in lab.inside.glob("own*"):
            shutil.rmtree(side) if side.is_dir() else side.unlink()


@attack("targets that are the pipeline, the data or the store")
def files(lab):
    photos = lab.photos()
    for _ in range(2):
        lab.measure(codes=(0,))
    lab.run("export", "classification", "--data", "photos", "--to", "json", "-o", "mine.json", codes=(0,))
    picture = next(photos.rglob("*.jpg"))
    kept = {p: digest(p) for p in (picture, lab.inside / "mine.json")}
    for path in lab.some((lab.inside / "mine.json", lab.store, picture), 2):
        for command in (["inspect", "photos", "-o"], ["export", "mine.json", "--to", "json", "-o"],
                        ["runs", "export", "-o"], ["runs", "backup"], ["runs", "compare", "1", "2", "--html"],
                        ["diagnose", "mine.json", "--seconds", "0.05", "--warmup", "0", "--repeats", "1", "--no-store",
                         "--apply"],
                        ["sweep", "mine.json", "--vary", "workers.count=1,2", "--seconds", "0.05", "--warmup", "0",
                         "--repeats", "1", "--no-store", "--csv"],
                        ["run", "mine.json", "--batches", "1", "--warmup", "0", "--repeats", "1", "--no-store", "--trace"]):
            if command[0] in ("diagnose", "sweep") and path == picture and not lab.long:
                continue
            lab.run(*command, str(path))
            if path in kept and digest(path) != kept[path]:
                lab.fault(f"`{' '.join(command)}` replaced {path.name}")
                kept[path] = digest(path)
        lab.check_store(2)
    for command in (["runs", "backup", str(lab.store), "--force"], ["runs", "export", "-o", str(lab.store), "--force"],
                    ["runs", "compare", "1", "2", "--html", str(lab.store), "--force"],
                    ["inspect", "photos", "-o", str(lab.store), "--force"],
                    ["export", "mine.json", "--to", "json", "-o", str(lab.store), "--force"],
                    *[["convert", "photos", str(lab.store), "--to", kind, "--force"] for kind in CONVERTED]):
        lab.run(*command, codes=(1, 2))
        lab.check_store(2)
    lab.run("runs", "import", str(lab.store))
    lab.check_store(2)


@attack("batches, pictures and samples written into the data that is read")
def folders(lab):
    photos = lab.photos()
    before = tree(photos)
    lab.measure("--dump", "photos")
    lab.run("preview", "classification", "--data", "photos", "-o", "photos")
    lab.run("sample-data", "photos", codes=(1, 2))
    lab.run("sample-data", "photos/train", codes=(1, 2))
    now = tree(photos)
    lab.expect(all(now.get(k) == v for k, v in before.items()), "data was overwritten")
