# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Names of every kind in every output: terminal, CSV, JSON, HTML, exported code."""

import ast
import csv
import io
import json
import os
import re
import shutil

from lab import attack

NAMES = [
    b"new\nline", b"tab\tand\rreturn", b"\x1b[31mred\x1b]0;title\x07", b"caf\xe9", b"\xff\xfe", b"x" * 240,
    b"quote\"double", b"quote'single", b"{brace}", b"{0}", b"%s%n%d", b"-rf", b"--set", b"=cmd|' C calc'!A0",
    b"+1+1", b"@SUM(1)", b"<script>alert(1)<script>", b"a&b;c", b"back\\slash", b"$(touch hacked)", b"`touch hacked`",
    b"; touch hacked", b" leading", b"trailing ", b"dot.", "\u202egnp.exe".encode(), "e\u0301".encode(), b"a,b;c|d",
    b"*", b"?", b"~", b"#12", b"last", b'"""', b"'''", b"\\N{DEL}", b"http:", b"NULL", b"nan", "\U0001f600".encode(),
]
ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def check_text(lab, what, text):
    odd = ODD.search(text)
    if odd:
        lab.fault(f"{what} has the character {odd[0]!r}", text[max(0, odd.start() - 60):odd.end() + 20])


def check_output(lab, what, ended, is_json=False):
    """Text shows no control characters; JSON parses, line by line where it is a stream."""
    check_text(lab, f"{what} (stderr)", ended.err)
    if not is_json:
        return check_text(lab, what, ended.out)
    try:
        json.loads(ended.out or "null")
    except ValueError:
        for line in ended.out.splitlines():
            try:
                json.loads(line)
            except ValueError as error:
                return lab.fault(f"{what} is not JSON: {error}", line)
    return None


def named_photos(lab, names=None):
    """Pictures and classes of all these names."""
    source = next(lab.photos("plain", 12).rglob("*.jpg"))
    root = os.fsencode(lab.inside / "named")
    for name in names or NAMES:
        os.makedirs(os.path.join(root, name), exist_ok=True)
        shutil.copy(source, os.path.join(root, name, name[:200] + b".jpg"))
        with open(os.path.join(root, name, name[:200] + b"_broken.jpg"), "wb") as broken:
            broken.write(source.read_bytes()[:300])
    return "named"


@attack("names of pictures and classes, in every output of every command")
def pictures(lab):
    named = named_photos(lab)
    short = ["--data", named, "--set", "batch.size=4", "--max-failures", "100%", "--no-store"]
    once = ["--epochs", "1", "--warmup", "0", "--repeats", "1"]
    commands = [["inspect", named], ["inspect", named, "--json"], ["check", "classification", "--data", named],
                ["check", "classification", "--data", named, "--json"], ["plan", "classification", "--data", named],
                ["preview", "classification", "--data", named, "--set", "shuffle.mode=off", "--count", "16"],
                ["run", "classification", *short, *once], ["run", "classification", *short, *once, "--json"],
                ["run", "classification", *short, *once, "--events"], ["run", "classification", *short, *once, "--dump", "d"],
                ["run", "classification", *short, *once, "--trace", "trace.json"]]
    for command in commands:
        as_json = "--json" in command or "--events" in command or command[0] == "preview"
        check_output(lab, " ".join(command[:2] + command[-1:]), lab.run(*command), as_json)
    for kind in ("json", "python", "pytorch", "tfdata", "dali"):
        lab.run("export", "classification", "--data", named, "--to", kind, "-o", f"code_{kind}")
    lab.check_json(lab.inside / "trace.json", "the trace")
    for path in lab.inside.glob("d/*.json"):
        lab.check_json(path, path.name)


@attack("names of pictures and classes through every format and back")
def formats(lab):
    named = named_photos(lab)
    lab.run("convert", named, "refused", "--to", "tfrecord", "--max-failures", "100%", codes=(1,), says="rename")
    shutil.rmtree(lab.inside / named)
    shutil.rmtree(lab.inside / "plain")
    named_photos(lab, [n for n in NAMES if b"\n" not in n and b"\r" not in n])
    for kind in lab.some(("webdataset", "tfrecord", "lmdb", "mds", "recordio", "folder"), 2):
        ended = lab.run("convert", named, f"to_{kind}", "--to", kind, "--max-failures", "100%")
        check_output(lab, f"convert to {kind}", ended)
        if ended.code == 0:
            check_output(lab, f"inspect {kind}", lab.run("inspect", f"to_{kind}"))
            back = lab.run("convert", f"to_{kind}", f"back_{kind}", "--to", "folder", "--max-failures", "100%")
            check_output(lab, f"convert from {kind}", back)
    lab.expect(not list(lab.top.rglob("hacked")), "a name was executed")


@attack("names of runs, tags, notes and experiments, in lists, CSV, JSON and pages")
def runs(lab):
    lab.photos()
    texts = [n for n in NAMES if b"\xff" not in n and b"\xe9" not in n][: None if lab.long else 8]
    for name in texts:
        text = name.decode()
        lab.run(
            "run", "classification", "--data", "photos", "--set", "batch.size=4", "--batches", "2", "--warmup", "0",
            "--repeats", "1", "--name=" + text, "--tag=" + text[:60], "--experiment=" + text, "--no-fingerprint")
    lab.run("runs", "note", "1", NAMES[2].decode())
    for command in (["list", "--all"], ["list", "--all", "--csv"], ["list", "--all", "--json"], ["show", "1"],
                    ["show", "1", "--json"], ["show", "3"], ["compare", "1", "2", "3", "4"], ["export"],
                    ["export", "--to", "json"], ["delete", "--all", "--dry-run"]):
        ended = lab.run("runs", *command, codes=(0,))
        check_output(lab, "runs " + " ".join(command), ended, "json" in command[-1])
        if "--csv" in command or command == ["export"]:
            check_csv(lab, ended.out)
    page = lab.inside / "page.html"
    lab.run("runs", "compare", *[str(n) for n in range(1, len(texts) - 2)], "--html", str(page))
    if page.exists():
        text = page.read_text()
        check_text(lab, "the page", text)
        lab.expect("<script>alert" not in text, "a name is a script in the page")


def check_csv(lab, text):
    rows = list(csv.reader(io.StringIO(text)))
    lab.expect(len({len(r) for r in rows}) == 1, "rows of the CSV differ in length")
    for cell in (c for r in rows for c in r):
        if cell and cell[0] in "=+@\t\r" or cell.startswith("-") and not re.match(r"-[\d.]", cell):
            lab.fault(f"a cell of the CSV is a formula: {cell[:60]!r}")


@attack("names in exported code: it parses, and holds the path unchanged")
def code(lab):
    source = lab.photos("plain", 12)
    for number, name in enumerate(NAMES):
        place = os.path.join(os.fsencode(lab.inside), name)
        os.symlink(os.fsencode(source), place)
        data = b"./" + name
        for kind in ("python", "pytorch", "tfdata", "dali") if lab.long or number < 6 else ("pytorch",) if number % 3 == 0 else ():
            ended = lab.run("export", "classification", "--data", data, "--to", kind)
            if ended.code:
                continue
            try:
                ast.parse(ended.out)
            except (SyntaxError, ValueError) as error:
                lab.fault(f"{kind} code with the path {name!r} does not parse: {error}")
        if lab.long:
            lab.run("inspect", data, codes=(0,))
    lab.expect(not list(lab.inside.rglob("hacked")), "a name was executed")


@attack("names as every argument")
def arguments(lab):
    lab.photos()
    for name in lab.some(NAMES, 5):
        for command in ([b"run", name], [b"check", name], [b"inspect", name], [b"runs", b"show", name],
                        [b"runs", b"list", name], [b"nodes", name], [name], [b"help", name], [b"completion", name],
                        [b"check", b"classification", b"--data", b"photos", b"--set", b"flip.horizontal=" + name],
                        [b"check", b"classification", b"--data", b"photos", b"--set", name + b"=1"],
                        [b"export", b"classification", b"--to", name], [b"sample-data", b"new", b"--kind", name]):
            check_output(lab, " ".join(c.decode(errors="replace") for c in command), lab.run(*command))
