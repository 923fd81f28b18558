# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Copy what the site shows into one folder: source.py ROOT TARGET.

Every Markdown page of the repository keeps its place, so that its relative links stay valid. Their
targets are copied, too: pictures unchanged, source files as pages, a folder as its README. A link
without a target stays, and `mkdocs build --strict` reports it.
"""

import os
import pathlib
import re
import sys

import fenced

# Files of the repository that the site replaces by pages generated from the same source.
GENERATED = {
    "resources/help/nodes.md": "generated/nodes/index.md",
    "app/capi/millrace.h": "generated/api/c.md",
    "core/plugins/millrace_node.h": "generated/api/c_node.md",
}
SKIPPED = {"build", "node_modules", "__pycache__"}
PICTURES = {".png", ".svg", ".jpg", ".gif"}
LANGUAGES = {".cpp": "cpp", ".cu": "cpp", ".h": "cpp", ".def": "cpp", ".c": "c", ".py": "python",
             ".json": "json", ".sql": "sql", ".sh": "bash", ".txt": "text", ".cmake": "cmake"}
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")


def pages(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders
                            if name not in SKIPPED and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".md"):
                yield (pathlib.Path(folder) / name).relative_to(root)


class Source:
    def __init__(self, root, target):
        self.root = root
        self.target = target
        self.linked = set()

    def resolved(self, page, link):
        """Return what a link of `page` leads to, below the root, or None."""
        path = pathlib.Path(os.path.normpath(page.parent / link))
        if path.parts[0] == ".." or not (self.root / path).exists():
            return None
        if (self.root / path).is_dir():
            path /= "README.md"
            if not (self.root / path).exists():
                return None
        return path

    def on_site(self, path):
        """Return where the site shows a file, and have it come along."""
        if str(path) in GENERATED:
            return pathlib.Path(GENERATED[str(path)])
        if path.suffix == ".md":
            return path
        self.linked.add(path)
        return path if path.suffix in PICTURES else path.with_name(path.name + ".md")

    def replaced(self, page, line):
        def one(match):
            path = self.resolved(page, match[2])
            if path is None:
                return match[0]
            return match[1] + os.path.relpath(self.on_site(path), page.parent) + match[3]
        return LINK.sub(one, line)

    def write(self, path, content):
        file = self.target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def copy(self):
        for page in pages(self.root):
            if str(page) in GENERATED:
                continue
            text = (self.root / page).read_text(encoding="utf-8")
            self.write(page, fenced.outside(text, lambda line, at=page: self.replaced(at, line)))
        for path in sorted(self.linked):
            content = (self.root / path).read_bytes()
            if path.suffix in PICTURES:
                self.write(path, content)
            else:
                self.write(self.on_site(path), code_page(path, content.decode(errors="replace")))


def code_page(path, text):
    """Return a source file as a page that the search leaves out."""
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=2) + 1)
    language = LANGUAGES.get(path.suffix, "text")
    return (f"---\nsearch:\n  exclude: true\n---\n# `{path}`\n\n"
            f"{fence if len(fence) > 2 else '```'}{language}\n{text.rstrip()}\n"
            f"{fence if len(fence) > 2 else '```'}\n")


def main():
    root, target = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    Source(root, target).copy()


main()
