# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Write the reference of node kinds, a page a category: nodes.py PROGRAM SETTINGS FOLDER.

All text is that of `millrace nodes --json`. What a kind makes of a picture is shown by the engine
itself: `millrace preview --serve` is given a pipeline that ends in the kind, once before it and
once, or with three seeds where it draws at random, after it. SETTINGS (docs/effects.json) has the
parameters with which an effect shows best; a kind that it does not name is shown with its example.
"""

import base64
import json
import pathlib
import subprocess
import sys

class Preview:
    """Asks the engine, a request at a time: a newer one would make it drop the older."""

    def __init__(self, program):
        self._child = subprocess.Popen([program, "preview", "--serve"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self._id = 0

    def pictures(self, pipeline, node, seed, place):
        """Return the PNG files of one sample's fields by name, or why there are none."""
        self._id += 1
        request = {"id": self._id, "pipeline": pipeline, "node": node, "seed": seed,
                   "first": place, "count": 1, "side": 1024}
        self._child.stdin.write(json.dumps(request) + "\n")
        self._child.stdin.flush()
        pictures, error = {}, None
        for line in self._child.stdout:
            answer = json.loads(line)
            if answer["event"] == "error":
                return {}, answer["error"]
            if answer["event"] == "done":
                return pictures, error
            error = answer["error"]
            for field in answer["fields"] or []:
                if field["png"]:
                    pictures[field["name"]] = base64.b64decode(field["png"])
        raise RuntimeError("the preview ended before it answered")


def chain(nodes, data):
    """Return a pipeline of the given (kind, params) in a row, and the ids of its nodes."""
    ids = [f"{kind}_{at}" for at, (kind, _) in enumerate(nodes)]
    document = {"format_version": 1, "seed": 0, "nodes": [], "wires": []}
    for name, (kind, params) in zip(ids, nodes):
        placed = {key: [data] if value == "DATA" else value for key, value in params.items()}
        document["nodes"].append({"id": name, "kind": kind, "params": placed})
    document["wires"] = [{"from": a, "to": b} for a, b in zip(ids, ids[1:])]
    return document, ids


class Effects:
    """Makes the pictures of each kind that changes what a picture looks like."""

    def __init__(self, program, settings, folder, data):
        self._preview = Preview(program)
        self._settings = settings
        self._folder = folder
        self._data = data

    def of(self, kind):
        """Return the files (before, [after, ...]) and the parameters, or None."""
        name = kind["kind"]
        params = self._settings["params"].get(name, kind["example"] or {})
        for upstream in self._settings["upstream"]:
            document, ids = chain([*map(tuple, upstream), (name, params)], self._data)
            shown = self._shown(name, document, ids)
            if shown:
                return *shown, params
        return None

    def _shown(self, name, document, ids):
        place = self._settings["place"]
        before, error = self._preview.pictures(document, ids[-2], 1, place)
        after = []
        for seed in self._settings["seeds"].get(name, [1, 2, 3]):
            made, error = self._preview.pictures(document, ids[-1], seed, place)
            if error or "image" not in made:
                return None
            after.append(made["image"])
        if len(set(after)) == 1:
            after = after[:1]
        if "image" not in before or after[0] == before["image"]:
            return None
        return (self._kept(f"{name}-before", before["image"]),
                [self._kept(f"{name}-{at}", png) for at, png in enumerate(after, 1)])

    def _kept(self, name, png):
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{name}.png").write_bytes(png)
        return f"pictures/{name}.png"


def sentence(text):
    return text if not text or text[-1] in ".?!" else text + "."


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def default_text(param):
    value = param["default"]
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, list):
        value = ",".join(f"{item:.6g}" if isinstance(item, float) else str(item) for item in value)
    elif isinstance(value, float):
        value = f"{value:.6g}"
    if value != "":
        return f"`{value}`"
    return "not set" if param["optional"] else "must be given"


def range_text(param):
    low, high = param["minimum"], param["maximum"]
    if low is None and high is None:
        return ""
    number = "{:.6g}".format if param["type"].startswith(("real", "list")) else "{:.0f}".format
    if high is None:
        return f"{number(low)} or more"
    return f"at most {number(high)}" if low is None else f"{number(low)} to {number(high)}"


def meaning(param):
    text = sentence(param["help"])
    used = param["used_with"]
    if used:
        choices = used["choices"]
        state = "is " + " or ".join(f"`{name}`" for name in choices) if choices else "is on"
        text += f" Used where `{used['param']}` {state}."
    if param["live"]:
        text += " May change during a run."
    if param["is_data"]:
        text += " Set by `--data`."
    for choice in param["choices"]:
        text += f"<br>`{choice['name']}`"
        # A sign that explains itself, such as `<`, needs no sentence.
        text += f": {sentence(choice['help']) if len(choice['help']) > 1 else choice['help']}" \
            if choice["help"] else ""
    return text


def parameters(kind):
    if not kind["params"]:
        return "It has no parameters.\n"
    rows = ["| parameter | default | allowed | meaning |", "|---|---|---|---|"]
    for param in kind["params"]:
        allowed = ", ".join(part for part in
                            (param["type"], range_text(param), param["unit"]) if part)
        rows.append("| " + " | ".join(
            cell(text) for text in (f"`{param['name']}`", default_text(param), allowed,
                                    meaning(param))) + " |")
    return "\n".join(rows) + "\n"


def picture(file, title):
    return f'<figure markdown><img src="{file}" alt="{title}"><figcaption>{title}</figcaption></figure>'


def as_json(node):
    """Return a node in the lines of a pipeline file, one where that fits."""
    line = json.dumps(node)
    if len(line) <= 76:
        return [line]
    params = [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in node["params"].items()]
    head = json.dumps(node["kind"])
    return [f'{{"kind": {head},', '  "params": {', ",\n".join(params), "  }}"]


def section(kind, effect):
    text = [f"## {kind['label']}", "", f"`{kind['kind']}`", "", kind["help"], ""]
    if effect:
        before, after, params = effect
        titles = ["after"] if len(after) == 1 else [f"seed {at}" for at in range(1, len(after) + 1)]
        figures = [picture(before, "before"), *map(picture, after, titles)]
        settings = ", ".join(f"{key} {json.dumps(value)}" for key, value in params.items())
        text += ['<div class="effect">', *figures, "</div>", ""]
        if settings:
            text += [f"*Shown with `{settings}`.*", ""]
    text += [parameters(kind)]
    if not kind["can_bypass"]:
        text += ["This node cannot be bypassed.", ""]
    text += ["```json", *as_json({"kind": kind["kind"], "params": kind["example"] or {}}), "```", ""]
    return "\n".join(text)


INTRO = """# Node kinds

Every node of a pipeline is of one of these {count} kinds. Each page has what a kind does and what can
be set; a parameter that a pipeline file leaves out has its default. `millrace nodes KIND` prints the
same in a terminal. All of this comes from the descriptions in [core/nodes](../../core/nodes/README.md),
and every picture was made by the engine when this page was built.
"""


def first_sentence(text):
    return sentence(text.split(". ")[0])


def overview(categories):
    text = INTRO.format(count=sum(map(len, categories.values())))
    for category, kinds in categories.items():
        text += f"\n## [{category.capitalize()}]({category}.md)\n\n| kind | in a file | what it does |\n|---|---|---|\n"
        for kind in kinds:
            anchor = kind["label"].lower().replace(" ", "-")
            text += (f"| [{kind['label']}]({category}.md#{anchor}) | `{kind['kind']}` | "
                     f"{cell(first_sentence(kind['help']))} |\n")
    return text


def sample_picture(program, folder):
    """Draw a few sample pictures and return their folder."""
    data = folder.parent.parent.parent / "sample"
    if not data.exists():
        subprocess.run([program, "sample-data", str(data), "--kind", "imagenet", "--count", "40"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return str(data)


def main():
    program = sys.argv[1]
    settings = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[3]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    kinds = json.loads(subprocess.run([program, "nodes", "--json"], check=True,
                                      capture_output=True, text=True).stdout)
    effects = Effects(program, settings, folder / "pictures", sample_picture(program, folder))
    categories = {}
    for kind in kinds:
        categories.setdefault(kind["category"], []).append(kind)
    for category, members in categories.items():
        page = [f"# {category.capitalize()}", ""]
        page += [section(kind, effects.of(kind)) for kind in members]
        (folder / f"{category}.md").write_text("\n".join(page), encoding="utf-8")
    (folder / "index.md").write_text(overview(categories), encoding="utf-8")


main()
