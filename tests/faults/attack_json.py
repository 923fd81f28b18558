# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Pipelines and other JSON from outside: deep, huge, doubled keys, wrong types, wrong encodings."""

import json
import random

from lab import attack

COMMANDS = (["check", "-"], ["run", "-", "--no-store", "--batches", "1"], ["export", "-", "--to", "json"])


def plain():
    nodes = [{"id": "s", "kind": "synthetic", "params": {"count": 8}}, {"id": "b", "kind": "batch", "params": {"size": 2}},
             {"id": "d", "kind": "drain", "params": {}}]
    return {"format_version": 1, "nodes": nodes, "wires": [{"from": "s", "to": "b"}, {"from": "b", "to": "d"}]}


def send(lab, text, commands=COMMANDS, **options):
    for command in commands:
        lab.run(*command, sends=text if isinstance(text, bytes) else text.encode(), **options)


@attack("brackets nested a million times, in every place")
def deep(lab):
    many = 1_000_000
    send(lab, "[" * many, codes=(2,))
    send(lab, '{"a":' * many, codes=(2,))
    send(lab, "[" * many + "]" * many, codes=(2,))
    whole = json.dumps(plain())
    send(lab, whole.replace('"size": 2', '"size": ' + "[" * many + "]" * many), codes=(2,))
    send(lab, whole.replace('"format_version": 1', '"format_version": 1, "x": ' + "[" * 5000 + "]" * 5000))
    (lab.inside / "plan.json").write_text('{"vary": ' + "[" * many)
    lab.run("sweep", "--file", "plan.json", codes=(2,))


@attack("huge documents: nodes, texts, numbers, endless input")
def huge(lab):
    value = plain()
    value["nodes"] += [{"id": f"n{i}", "kind": "identity", "params": {}} for i in range(20_000)]
    send(lab, json.dumps(value), COMMANDS[:2])
    value = plain()
    value["nodes"][0]["id"] = "x" * 5_000_000
    send(lab, json.dumps(value), COMMANDS[:1])
    send(lab, json.dumps(plain()).replace('"count": 8', '"count": ' + "9" * 1_000_000), COMMANDS[:2], codes=(2,))
    for command in COMMANDS:
        with open("/dev/zero", "rb") as zeros:
            lab.run(*command, stdin=zeros, codes=(2,))
        with open("/dev/urandom", "rb") as noise:
            lab.run(*command, stdin=noise, codes=(2,))


@attack("keys that stand twice, and keys that no one knows")
def doubled(lab):
    whole = json.dumps(plain())
    for text in (whole.replace('"size": 2', '"size": 2, "size": 3'), whole.replace('"wires"', '"nodes": [], "wires"'),
                 whole.replace('"id": "d"', '"id": "d", "id": "e"')):
        send(lab, text, COMMANDS[:2], codes=(2,), says="twice|more than once|duplicate|again")
    for text in (whole.replace('"size": 2', '"sizes": 2'), whole.replace('"id": "d"', '"id": "b"'),
                 whole.replace('"wires": [', '"wires": [{"from": "s", "to": "b"}, ')):
        send(lab, text, COMMANDS[:2])


@attack("values of wrong types and odd numbers at every place")
def wrong(lab):
    draw = random.Random(3)
    values = [None, True, -1, 0, 1e308, 2**63, 2**64, -2**63 - 1, "", "x", "\0", "\ud800", [], [[]], {}, {"a": 1}, 0.5]
    texts = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "01", "+1", "0x10", "1.", ".5", "'a'", "undefined"]
    places = ["1", '"s"', '"synthetic"', '{"count": 8}', "8", '"b"', "2", '{"size": 2}', "{}"]
    whole = json.dumps(plain())
    for place in places:
        some = values + texts if lab.long else draw.sample(values, 1) + draw.sample(texts, 1)
        for value in some:
            text = value if isinstance(value, str) and value in texts else json.dumps(value)
            send(lab, whole.replace(f": {place}", f": {text}", 1), COMMANDS[:1])
    for key in ("format_version", "nodes", "wires", "seed", "comments", "groups"):
        for value in lab.some(values, 4):
            send(lab, json.dumps({**plain(), key: value}), COMMANDS[:1])


@attack("documents in other encodings, cut short, with bytes between")
def encodings(lab):
    text = json.dumps(plain())
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):
        send(lab, text.encode(encoding), COMMANDS[:1])
    for cut in range(0, len(text), 1 if lab.long else 29):
        send(lab, text[:cut], COMMANDS[:1], codes=(2,))
    for byte in (b"\0", b"\xff", b"\x1b[31m", b"\xc3"):
        for at in (0, 10, len(text)):
            send(lab, text[:at].encode() + byte + text[at:].encode(), COMMANDS[:1], codes=(2,))


@attack("paths in documents that are empty, odd or out of the folder")
def paths(lab):
    lab.photos()
    for path in ("", ".", "..", "~", "$HOME", "photos/../../outside", "\0", "a\0b", "sample:", "sample:x", "http://x/y",
                 "x" * 5000, "photos\n"):
        value = plain()
        value["nodes"][0] = {"id": "s", "kind": "image_folder", "params": {"paths": [path], "subset": "all"}}
        send(lab, json.dumps(value), COMMANDS[:1])


@attack("files for sweeps, and the index of MDS, with everything wrong")
def others(lab):
    lab.photos()
    base = {"pipeline": "classification", "data": ["photos"], "vary": {"workers.count": [1, 2]}, "seconds": 0.05,
            "warmup": 0, "repeats": 1}
    for key in base:
        for value in lab.some((None, -1, 1e300, "", "x", [], {}, [None], {"a": None}, True), 2):
            (lab.inside / "plan.json").write_text(json.dumps({**base, key: value}))
            lab.run("sweep", "--file", "plan.json", "--no-store")
    lab.run("convert", "photos", "mds", "--to", "mds", codes=(0,))
    index = lab.inside / "mds" / "index.json"
    whole = index.read_text()
    for old, new in (("{", "[" * 100_000), ('"version"', '"versions"'), ('"shards"', '"shards": [], "x"'), ("2", "-2"),
                     ("2", "9" * 30), (":", ":null,"), ("mds", "/etc/passwd"), ('"', "'")):
        index.write_text(whole.replace(old, new))
        lab.run("inspect", "mds")
        lab.run("convert", "mds", "again.tar", "--force")
