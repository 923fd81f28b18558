# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Names inside data that climb out of it: `..`, absolute paths, links, in every format and back."""

import io
import json
import shutil
import tarfile
from pathlib import Path

from lab import attack

CLIMBS = ("../outside/evil.jpg", "../../outside/evil.jpg", "/tmp/../evil.jpg", "a/../../outside/evil.jpg", "..", ".",
          "./x.jpg", "a//b.jpg", "a/./b.jpg", "..\\evil.jpg", "c:evil.jpg", "con.jpg", ".hidden.jpg", "a/b/../c.jpg")


def picture(lab):
    return next((lab.inside / "photos" / "train").rglob("*.jpg")).read_bytes()


def tar_with(lab, name, names):
    path = lab.inside / name
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as made:
        for each in names:
            entry = tarfile.TarInfo(each.replace("{outside}", str(lab.outside)))
            entry.size = len(picture(lab))
            made.addfile(entry, io.BytesIO(picture(lab)))
    return name


def every_way(lab, source):
    """To a folder and to every format that keeps names, and from there to a folder."""
    lab.run("inspect", source)
    for kind in lab.some(("folder", "webdataset", "tfrecord", "lmdb", "mds", "recordio"), 2):
        target = f"{source}_{kind}".replace(".", "_")
        ended = lab.run("convert", source, target, "--to", kind, "--max-failures", "100%", "--lossy")
        if ended.code == 0 and kind != "folder":
            lab.run("convert", target, target + "_back", "--to", "folder", "--max-failures", "100%", "--lossy")
    stray = [p for p in lab.top.rglob("*evil*") if lab.inside not in p.parents]
    stray += [p for p in (Path("/evil.jpg"), lab.inside / "outside") if p.exists()]
    lab.expect(not stray, f"written outside: {stray}")


@attack("names in tar that climb out, through every format to a folder")
def tar(lab):
    lab.photos()
    every_way(lab, tar_with(lab, "climb.tar", CLIMBS))
    every_way(lab, tar_with(lab, "absolute.tar", ("{outside}/evil.jpg", "{outside}/photo.jpg", "//evil.jpg")))
    every_way(lab, tar_with(lab, "twice.tar", ("a.jpg", "a.jpg", "A.jpg", "a.jpg/b.jpg", "b/c.jpg", "b.jpg")))


@attack("links, devices and folders in tar")
def tar_kinds(lab):
    lab.photos()
    with tarfile.open(lab.inside / "odd.tar", "w") as made:
        for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE,
                                       tarfile.DIRTYPE)):
            entry = tarfile.TarInfo(f"a{number}.jpg")
            entry.type, entry.linkname = kind, "../outside/photo.jpg"
            made.addfile(entry)
        entry = tarfile.TarInfo("a0.jpg/evil.jpg")
        entry.size = 10
        made.addfile(entry, io.BytesIO(bytes(10)))
        entry = tarfile.TarInfo("good.jpg")
        entry.size = len(picture(lab))
        made.addfile(entry, io.BytesIO(picture(lab)))
    every_way(lab, "odd.tar")


@attack("an index of MDS that names files outside")
def mds(lab):
    lab.photos()
    for name in lab.some(("../../outside/photo.jpg", "/etc/hostname", "{outside}/photo.jpg", "..", "", ".", "a\0b"), 2):
        lab.run("convert", "photos", "mds", "--to", "mds", "--force", codes=(0,))
        index = lab.inside / "mds" / "index.json"
        value = json.loads(index.read_text())
        value["shards"][0]["raw_data"]["basename"] = name.replace("{outside}", str(lab.outside))
        index.write_text(json.dumps(value))
        every_way(lab, "mds")
        for made in lab.inside.glob("mds*"):
            shutil.rmtree(made) if made.is_dir() else made.unlink()


@attack("manifests that name files outside, odd files and themselves")
def manifests(lab):
    lab.photos()
    good = next((lab.inside / "photos" / "train").rglob("*.jpg")).relative_to(lab.inside)
    rows = [*CLIMBS, str(lab.outside / "photo.jpg"), "list.csv", "", "/", "photos", "=1+1", "\0", "/proc/self/environ"]
    (lab.inside / "list.csv").write_text(
        "image,label\n" + f"{good},a\n" * 5 + "".join(f'"{row}",b\n' for row in rows))
    every_way(lab, "list.csv")


@attack("list files of RecordIO, and class names, that climb out")
def lists(lab):
    lab.photos()
    lab.run("convert", "photos", "a.rec", "--to", "recordio", codes=(0,))
    for path in lab.inside.glob("a.*"):
        if path.suffix in (".lst", ".txt"):
            lines = path.read_text().splitlines()
            path.write_text("\n".join("\t".join([*line.split("\t")[:-1], f"../../outside/evil{n}.jpg"])
                                      for n, line in enumerate(lines)) + "\n")
    every_way(lab, "a.rec")
    lab.run("convert", "photos", "b.tar", codes=(0,))
    for path in lab.inside.glob("b.tar.classes.txt"):
        path.write_text("\n".join(f"../../outside/evil{n}" for n in range(len(path.read_text().splitlines()))) + "\n")
    every_way(lab, "b.tar")
