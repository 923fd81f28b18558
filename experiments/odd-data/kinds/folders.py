# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Folders of pictures: classes, pairs, masks, names, and what is not data."""

import io
import unicodedata

import numpy as np
from case import PILLOW, case
from draw import APPLE_DOUBLE, halves, jpeg, photo, picture, png
from PIL import Image, ImageOps

from .pictures import exif


@case("class folders 1, 2, 10 and 100", "byte order, and reported, and numeric order is offered",
      said=["class 2 is folder 100", "--set image_folder.class_order=numeric"], samples=4,
      classes=["1", "10", "100", "2"], labels=[0, 1, 2, 3])
def f01_numeric(to):
    to.photos(*(f"{name}/x.jpg" for name in (1, 2, 10, 100)))


@case("the same folders with `class_order` = `numeric`", "labels in the order of the numbers",
      samples=4, labels=[0, 2, 3, 1], settings=["image_folder.class_order=numeric"])
def f01_numeric_order(to):
    f01_numeric(to)


def angles(to):
    to.photos(*(f"train/{angle}/x.jpg" for angle in (0, 90, 180, 270)))
    to.photos(*(f"elsewhere/{angle}/x.jpg" for angle in (0, 90, 270)))


@case("a training folder with 4 classes and another with 3 of them",
      "with `classes_from` the labels of the training folder: 0, 2, 3; without it a warning",
      said=["`180`", "classes_from"], samples=3, labels=[0, 2, 3], below="elsewhere",
      settings=["image_folder.classes_from={folder}/train"])
def f02_missing_class(to):
    angles(to)


@case("the folder above both", "two data sets, each with its command",
      said=["elsewhere: class folders", "train: class folders", "millrace inspect"])
def f02_both_sets(to):
    angles(to)


@case("`.DS_Store`, AppleDouble, `Thumbs.db`, `__MACOSX`, notebook checkpoints, a read-me",
      "neither samples nor classes; reported once with the count, and how to include them",
      said=["2 class folders, 2 pictures", "8 left out", "`--set image_folder.junk=keep` includes them"],
      samples=2, classes=["cat", "dog"], labels=[0, 1],
      pixels={"cat/1.jpg": PILLOW, "dog/1.jpg": PILLOW})
def f03_junk(to):
    to.photos("cat/1.jpg", "dog/1.jpg")
    to.photos(".ipynb_checkpoints/1-checkpoint.jpg")
    for name in ("cat/._1.jpg", "__MACOSX/cat/._1.jpg"):
        to.put(name, APPLE_DOUBLE)
    for name in (".DS_Store", "cat/.DS_Store", "cat/Thumbs.db", "cat/desktop.ini", "README.txt"):
        to.put(name)


@case("a tar next to its AppleDouble twin, with junk among its members", "two samples",
      said=["left out", "._train-000.tar"], samples=2, labels=[0, 1])
def f03_junk_in_shards(to):
    members = [("a.jpg", photo()), ("a.cls", b"0"), ("._a.jpg", APPLE_DOUBLE)]
    members += [("README.md", b"hello"), ("b.jpg", photo(seed=1)), ("b.cls", b"1")]
    to.tar("train-000.tar", members)
    to.put("._train-000.tar", APPLE_DOUBLE)


@case("files of synchronisation, downloads, editors and checks", "neither samples nor classes",
      said=["1 class folder, 1 picture", "left out"], samples=1, classes=["cat"], labels=[0])
def f03_junk_of_tools(to):
    to.photos("cat/1.jpg")
    for name in ("@eaDir/1.jpg", ".thumbnails/1.jpg", ".git/HEAD", "#recycle/1.jpg",
                 "cat/@__thumb/1.jpg", "RECYCLER/1.jpg", "Network Trash Folder/1.jpg"):
        to.put(name)
    for name in ("1.jpg.part", "2.jpg.crdownload", "1.jpg~", "1.jpg.md5", "1.jpg.md5sum", "SHA256SUMS",
                 "1.jpg.!qB", "1.jpg.dvc", "ZbThumbnail.info",
                 ".directory", "ehthumbs.db", "1.json", "LICENSE-CC0.txt",
                 "README_how_the_pictures_of_this_data_set_were_made.txt"):
        to.put(f"cat/{name}")


@case("an empty class folder", "it keeps its number", said=["3 class folders", "b (0)"],
      samples=2, classes=["a", "b", "c"], labels=[0, 2])
def f04_empty_class(to):
    to.photos("a/1.jpg", "c/1.jpg")
    to.path("b/x").parent.mkdir(exist_ok=True)


@case("links to a file, to a folder above, to nothing, to a class elsewhere",
      "the class is that of the link's own folder; the loop and the broken link are named",
      said=["link to a folder above it; first: abnormal/loop/",
            "broken link; first: abnormal/dangling.jpg"],
      samples=3, classes=["abnormal", "linked_class", "others"], labels=[0, 1, 2], below="data")
def f05_links(to):
    to.photos("data/others/real.jpg", "outside/z.jpg")
    to.link("data/abnormal/link.jpg", "../others/real.jpg")
    to.link("data/abnormal/loop", "..")
    to.link("data/abnormal/dangling.jpg", "nowhere.jpg")
    to.link("data/linked_class", "../outside")


ODD_NAMES = [
    b"sa_Yuzu Pop A [M] Extra.jpeg", b"{a,b}.jpg", b"{000..003}.jpg", b"a#b%20c.jpg",
    b"-dash.jpg", b"new\nline.jpg", b"JaimeMu\xf1oz.jpg", "é.jpg".encode(),
    unicodedata.normalize("NFD", "ü.jpg").encode(), b"x" * 250 + b".jpg", b"UPPER.JPEG", b"noext",
    b"trailing.jpg.", b'q"uote.jpg',
]  # fmt: skip


@case("14 odd names: brackets, braces, a line break, a byte that is not UTF-8, 254 bytes, no dot",
      "all 14 are read", said=["1 class folder, 14 pictures"], samples=14, classes=["a"],
      pixels={"a/{a,b}.jpg": PILLOW, "a/new\nline.jpg": PILLOW, "a/trailing.jpg.": PILLOW})
def f06_names(to):
    for name in ODD_NAMES:
        to.put(b"a/" + name, photo())


@case("pictures in one folder without classes", "this is reported",
      said=["Without class folders there is one class", "has no class folders"],
      samples=2, labels=[0, 0])
def f07_flat(to):
    to.photos("ILSVRC2012_val_00000001.JPEG", "ILSVRC2012_val_00000002.JPEG")


TURNED = jpeg(picture(40, 20), exif=exif(6))
UPRIGHT = ImageOps.exif_transpose(Image.open(io.BytesIO(TURNED)))


@case("a picture that EXIF turns, and a mask that is upright", "their sizes agree",
      said=["1 JPEG, all 20x40", "1 PNG, all 20x40"], samples=1,
      pixels={"1.jpg": np.asarray(UPRIGHT)}, masks={"1.jpg": np.ones((40, 20))})
def f09_turned_picture_with_mask(to):
    to.put("img/1.jpg", TURNED)
    to.put("mask/1.png", png(Image.new("L", (20, 40), 1)))


INDICES = [[0, 1, 15, 255], [20, 20, 0, 255]]


@case("masks with a palette and 255, as in Pascal VOC", "the indices, and how many classes",
      said=["class indices 0, 1, 15, 20 and 255", "at least 21"], samples=1,
      masks={"1.png": INDICES})
def f10_voc_mask(to):
    mask = Image.fromarray(np.array(INDICES, np.uint8), "P")
    mask.putpalette([part for i in range(256) for part in (i, 255 - i, i * 7 % 256)])
    to.put("img/1.png", png(picture(4, 2)))
    to.put("mask/1.png", png(mask))


@case("masks as JPEG", "a warning that JPEG changes class numbers",
      said=["1 of the 1 masks examined is JPEG", "save masks as PNG"], samples=1)
def f11_jpeg_mask(to):
    to.put("img/1.jpg", photo())
    to.put("mask/1.jpg", jpeg(picture().convert("L")))


@case("pictures, shards and a licence in one folder", "both sets, each with its command",
      said=["photos: class folders", "shards: WebDataset"])
def one_level_down(to):
    to.put("LICENSE")
    to.photos("photos/cat/1.jpg", "photos/dog/1.jpg")
    to.tar("shards/x.tar", [("a.jpg", photo()), ("a.cls", b"0")])


@case("pairs `1_LR.png`, `1_HR.png` in two subfolders", "pairs, the target twice as large",
      said=["4 pairs", "2 times larger"], samples=4)
def pairs_in_folders(to):
    for name in ("a/1", "a/2", "b/1", "b/2"):
        to.put(f"{name}_LR.png", png(picture(64, 64)))
        to.put(f"{name}_HR.png", png(picture(128, 128)))


@case("pairs of two scales in two folders", "two data sets", said=["x2: pairs", "x4: pairs"])
def pairs_of_two_scales(to):
    for scale in (2, 4):
        to.put(f"x{scale}/1_LR.png", png(picture(64, 64)))
        to.put(f"x{scale}/1_HR.png", png(picture(64 * scale, 64 * scale)))


def colour_masks(to):
    to.photos("images/1.jpg", "images/2.jpg", width=384, height=384)
    for name in ("1", "2"):
        to.put(f"masks/{name}.png", png(halves((0, 0, 255), (128, 64, 128), (384, 384))))


def colour_table(name, text):
    @case(f"masks of colours with `{name}`", "the table, and its classes",
          said=[f"`{name}` gives their 2 classes"], samples=2,
          name=f"colours_{name.split('.')[0]}")
    def draw(to):
        colour_masks(to)
        to.put(name, text)


for table_name, table_text in (
    ("classes.csv", b"name,r,g,b\nsky,0,0,255\nroad,128,64,128\n"),
    ("label_colors.txt", b"0 0 255\tSky\n128 64 128\tRoad\n"),
    ("labelmap.txt", b"# label\nsky:0,0,255::\nroad:128,64,128::\n"),
):
    colour_table(table_name, table_text)


@case("masks of colours without a table", "the number of colours, and the parameter for them",
      said=["2 found", "one_hot.colours"], samples=2)
def colours_without_table(to):
    colour_masks(to)


@case("names that look alike: composed and decomposed é, `IMG_1.JPG` and `img_1.png`",
      "pairs are found where a reader sees the same name",
      said=["3 pictures with masks", "look alike"], samples=3)
def names_that_look_alike(to):
    composed = unicodedata.normalize("NFC", "é")
    pictures = (f"images/{composed}.jpg", "images/IMG_1.JPG", "images/a b.c.jpg")
    to.photos(*pictures, width=384, height=384)
    mask = png(halves(0, 1, (384, 384)))
    for name in (unicodedata.normalize("NFD", composed), "img_1", "a b.c"):
        to.put(f"masks/{name}.png", mask)


@case("class folders of text files, no picture", "no picture is found; they are not called junk",
      unsaid=["left out"])
def texts_without_pictures(to):
    for name in ("pos/1.txt", "pos/2.txt", "neg/1.txt"):
        to.put(name, b"a film\n")


@case("a clone without `git lfs pull`", "no pipeline, and the remedy",
      said=["pointers of Git LFS", "git lfs pull"])
def lfs_pointers(to):
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    for name in ("a/1.jpg", "a/2.jpg", "b/1.jpg"):
        to.put(name, pointer)


@case("streams of NTFS that a copy has made files", "neither samples nor failures",
      said=["2 left out"], samples=2, labels=[0, 1])
def ntfs_streams(to):
    to.photos("a/1.jpg", "b/1.jpg")
    to.put("a/1.jpg:Zone.Identifier", b"[ZoneTransfer]\r\nZoneId=3\r\n")
    to.put("b/Thumbs.db:encryptable", b"")


@case("pictures in one folder, and a spreadsheet", "one class; the spreadsheet is named with what to do",
      said=["`labels.xlsx` is a spreadsheet, which is not read"], samples=2)
def labels_in_a_spreadsheet(to):
    to.photos("img/a.jpg", "img/b.jpg")
    to.put("labels.xlsx", b"PK\x03\x04")


@case("pictures in one folder, and metadata.jsonl", "one class; the file is named with what to do",
      said=["`metadata.jsonl` is JSON, which is not read"], samples=2)
def labels_in_json(to):
    to.photos("img/a.jpg", "img/b.jpg")
    to.put("metadata.jsonl", b'{"file_name": "img/a.jpg", "label": 1}\n')


@case("a folder with a zip file", "it has to be unpacked", said=["`pets.zip` is an archive"])
def only_an_archive(to):
    to.put("pets.zip", b"PK\x03\x04")
