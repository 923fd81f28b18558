# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Tar archives of samples."""

import gzip
import tarfile

from case import case
from draw import SMALL

LONG = "d" * 60 + "/" + "e" * 60 + "/"
TWO = [("s0.jpg", SMALL), ("s0.cls", b"0"), ("s1.jpg", SMALL), ("s1.cls", b"1")]


@case("folders of 120 bytes, written as PAX", "2 samples", samples=2, labels=[0, 1])
def w01_pax(to):
    to.tar("x.tar", [(LONG + name, content) for name, content in TWO], tarfile.PAX_FORMAT)


@case("folders of 120 bytes, written as ustar", "2 samples", samples=2, labels=[0, 1])
def w02_ustar(to):
    to.tar("x.tar", [(LONG + name, content) for name, content in TWO], tarfile.USTAR_FORMAT)


@case("names with dots: `./235342 Track 2.0 (Clean Version).jpg`",
      "by the rule the key ends at the first dot: reported, with the samples that lack a part",
      said=["1 of 2 samples", "names have dots"], unsaid=["target"], samples=2, labels=[1],
      failures={"x.tar#./235342 Track 2": "no part jpg"})
def w03_dots(to):
    track = "./235342 Track 2.0 (Clean Version)"
    members = [(f"{track}.jpg", SMALL), (f"{track}.cls", b"3")]
    to.tar("x.tar", [*members, ("v1.0/a.jpg", SMALL), ("v1.0/a.cls", b"1")])


@case("`a.JPG` and `a.jpg`", "the first one counts, and reported",
      said=["two parts", "the first one is used"], samples=2, labels=[0, 1])
def w04_case(to):
    to.tar("x.tar", [("a.JPG", SMALL), ("a.jpg", SMALL), ("a.cls", b"0"),
                     ("b.jpg", SMALL), ("b.cls", b"1")])  # fmt: skip


@case("hard and symbolic links", "reported, never followed", said=["2 links are left out"],
      samples=3, labels=[0], failures={f"x.tar#{name}": "no part jpg" for name in "bc"})
def w05_links(to):
    to.tar("x.tar", [("a.jpg", SMALL), ("a.cls", b"0"),
                     ("b.jpg", (tarfile.LNKTYPE, "a.jpg")), ("b.cls", b"1"),
                     ("c.jpg", (tarfile.SYMTYPE, "/etc/passwd")), ("c.cls", b"1")])  # fmt: skip


@case("an owner with a space, and a Japanese name", "2 samples", samples=2, labels=[0, 1])
def w06_owner(to):
    members = [("日本.jpg", SMALL), ("日本.cls", b"0"), ("b.jpg", SMALL), ("b.cls", b"1")]
    to.tar("x.tar", members, owner="Domain Users")


@case("a sample without its class", "it is named and fails",
      said=["1 of 3 samples has no part cls", "first: b"], samples=3, labels=[0, 1],
      failures={"x.tar#b": "no part cls"})
def w07_missing_part(to):
    to.tar("x.tar", [("a.jpg", SMALL), ("a.cls", b"0"), ("b.jpg", SMALL),
                     ("c.jpg", SMALL), ("c.cls", b"1")])  # fmt: skip


@case("all pictures before all classes", "the reason, and the remedy: sort the archive",
      said=["not next to each other", "sorted by name"], samples=4,
      failures={f"x.tar#{name}": "no part" for name in "ab"})
def w08_parts_apart(to):
    to.tar("x.tar", [("a.jpg", SMALL), ("b.jpg", SMALL), ("a.cls", b"0"), ("b.cls", b"1")])


@case("an empty archive and a web page before a good archive", "both are named, the good one read",
      said=["a.tar: it is not a tar archive of samples: it has no file", "b.tar"], samples=2, labels=[0, 1])
def archives_without_samples(to):
    to.tar("a.tar", [])
    to.put("b.tar", b"<!DOCTYPE html><html>404</html>\n")
    to.tar("c.tar", TWO)


@case("class names in words instead of numbers in .cls", "classes with these names", samples=2,
      classes=["cat", "dog"], labels=[0, 1])
def classes_in_words(to):
    to.tar("x.tar", [("s0.jpg", SMALL), ("s0.cls", b"cat"), ("s1.jpg", SMALL),
                     ("s1.cls", b"dog")])  # fmt: skip


def with_json(to, *texts):
    to.tar("x.tar", [(f"s{i}.{part}", content) for i in range(8) for part, content in
                     (("jpg", SMALL), ("json", texts[i % len(texts)].encode()))])  # fmt: skip


@case("the class as a number in a part of JSON", "the label, and where it is from",
      said=["label is the member `label` of part json"], samples=8, labels=[0, 3] * 4)
def class_in_json(to):
    with_json(to, '{"label": 0, "caption": "a cat"}', '{"caption": "a dog", "label": 3}')


@case("the name of the class in a part of JSON", "classes with these names", samples=8,
      said=["label is the member `class` of part json"], classes=["cat", "dog"], labels=[1, 0] * 4)
def name_in_json(to):
    with_json(to, '{"class": "dog"}', '{"class": "cat"}')


@case("JSON without a class, as img2dataset writes it", "no label; the part is named as unused",
      said=["unused parts: json"], unsaid=["the member"], samples=8)
def json_without_class(to):
    with_json(to, '{"key": "000000", "caption": "a cat", "width": 48, "status": "success"}')


def packed(to):
    to.tar("plain.tar", [(f"s{i}.{part}", content) for i in range(8)
                         for part, content in (("jpg", SMALL), ("cls", b"%d" % i))])
    plain = to.path("plain.tar")
    content = gzip.compress(plain.read_bytes(), 0)
    plain.unlink()
    return content


@case("a .tar.gz that is cut off", "read up to there, and reported with the place",
      said=["truncated at byte", "ends within s5.jpg"], samples=5, labels=[0, 1, 2, 3, 4])
def gzip_cut_off(to):
    content = packed(to)
    to.put("x.tar.gz", content[: len(content) * 7 // 16])


@case("a .tar.gz with a wrong checksum", "all are read, and it is reported",
      said=["the checksum of the compressed content"], samples=8, labels=list(range(8)))
def gzip_with_a_wrong_checksum(to):
    content = bytearray(packed(to))
    content[-8] ^= 1
    to.put("x.tar.gz", bytes(content))


@case("`1 3` in one of three .cls", "this sample fails, with what reads several classes",
      said=["`1 3` is several numbers", "label=cls:?", "one_hot"], samples=3, labels=[0, 2],
      failures={"x.tar#b": "several numbers"})
def several_classes_in_parts(to):
    parts = (("a", b"0"), ("b", b"1 3"), ("c", b"2\n"))
    to.tar("x.tar", [member for name, label in parts
                     for member in ((f"{name}.jpg", SMALL), (f"{name}.cls", label))])  # fmt: skip
