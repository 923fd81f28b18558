# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Run the commands of a page and write what they print into it: rerun.py PAGE FOLDER.

In FOLDER, in the page's order: a json block with nodes is written to the file that the text before it
names; each line of a console block that begins with `$ ` is run, and the lines below it become what
it printed. `<!-- test: COMMAND -->` before any other block is run too; before a console block it is
for the tests of the pages, and left alone.
"""

import json
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"(?P<note><!-- test: (?P<test>[^\n]*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)```\n",
                   re.DOTALL)


def run(command, folder):
    print(f"$ {command}", flush=True)
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"exit code {done.returncode}")
    return done.stdout.decode()


def is_pipeline(text):
    document = json.loads(text)
    return isinstance(document, dict) and "nodes" in document


def console(text, folder):
    parts = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            parts.append("\n".join([line, *run(line[2:], folder).rstrip("\n").splitlines()]))
    return "\n\n".join(parts) + "\n"


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")

    def replaced(block):
        language, body = block["language"], block["text"]
        if language == "json" and is_pipeline(body):
            name = re.findall(r"`([\w.-]+\.millrace\.json)`", text[:block.start()])[-1]
            (folder / name).write_text(body, encoding="utf-8")
        elif language == "console":
            body = console(body, folder)
        elif block["test"] and not block["test"].startswith(("skip", "exits")):
            run(block["test"], folder)
        return f"{block['note'] or ''}```{language}\n{body}```\n"

    page.write_text(BLOCK.sub(replaced, text), encoding="utf-8")


main()
