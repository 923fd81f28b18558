# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Loops of links and of folders, links that lead out, and very many or very deep files."""

import os

from lab import attack

READS = (["inspect", "{}"], ["check", "classification", "--data", "{}"],
        ["run", "classification", "--data", "{}", "--seconds", "0.1", "--warmup", "0", "--repeats", "1", "--no-store"],
        ["convert", "{}", "{}_out", "--to", "webdataset"], ["preview", "classification", "--data", "{}"])


def look(lab, place, **options):
    for command in READS:
        lab.run(*[a.format(place) for a in command], **options)


@attack("loops of links among pictures")
def loops(lab):
    folder = lab.photos() / "train"
    (folder / "self").symlink_to("self")
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "up").symlink_to("..")
    (folder / "root_of_all").symlink_to(lab.inside)
    (folder / "here").symlink_to(".")
    (folder / "gone").symlink_to("/nowhere/at/all")
    look(lab, "photos", codes=(0, 1))


@attack("a loop alone, as data and as a pipeline")
def alone(lab):
    (lab.inside / "loop").symlink_to("loop")
    (lab.inside / "mine.json").symlink_to("mine.json")
    look(lab, "loop", codes=(1, 2))
    for command in ("check", "run", "plan"):
        lab.run(command, "mine.json", codes=(2,))


@attack("links that lead out are read, and never written through")
def out(lab):
    folder = lab.photos()
    (folder / "train" / "away").symlink_to(lab.outside)
    look(lab, "photos", codes=(0, 1))
    (lab.inside / "target").symlink_to(lab.outside)
    lab.run("convert", "photos", "target", "--to", "folder", "--force")
    lab.run("convert", "photos", "target", "--to", "mds", "--force")
    lab.run("sample-data", "target", codes=(1, 2))


@attack("very many empty files")
def many(lab):
    folder = lab.inside / "many"
    count = 200_000 if lab.long else 5_000
    for number in range(count):
        if number % 1000 == 0:
            place = folder / f"class_{number // 1000 % 20}" / str(number)
            place.mkdir(parents=True)
        os.close(os.open(place / f"{number}.jpg", os.O_CREAT | os.O_WRONLY))
    look(lab, "many")


@attack("folders in folders, as deep as the system allows")
def deep(lab):
    folder = lab.photos()
    here = os.open(folder / "train", os.O_RDONLY)
    for _ in range(3000 if lab.long else 600):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("x.jpg", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    look(lab, "photos", says="folders deep|128|nearer")
