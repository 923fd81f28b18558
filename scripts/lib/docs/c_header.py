# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Write a C header as a page: c_header.py HEADER PAGE.

The header is written to be read: a comment at its head, then declarations, each after the comment
that belongs to it. The page is that text, with the functions and types as headings.
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
API = re.compile(r"MILLRACE_(?:NODE_)?API ")
NAME = {
    "function": re.compile(r"\b(millrace_\w+)\s*\("),
    "type": re.compile(r"^typedef (?:struct|enum) (\w+)"),
    "opaque": re.compile(r"^struct (\w+);"),
    "macro": re.compile(r"^#define (\w+)"),
}


def prose(comment, names):
    """Return a comment as Markdown: what is indented as code, names of `names` as links."""
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in comment.split("\n")]
    lines[0] = lines[0].strip()
    text, code = [], False
    for line in lines:
        if line.startswith("  ") != code:
            code = not code
            text.append("```c" if code else "```\n")
        text.append(line[2:] if code else linked(line, names))
    return "\n".join(text + (["```"] if code else [])).strip()


def linked(line, names):
    """Return a line with the header's names as code, and as links where they have a heading."""
    def one(match):
        name = match[0]
        return name if name[0] == "`" else f"[`{name}`](#{name.lower()})" if name in names else f"`{name}`"
    return re.sub(r"`[^`]*`|\b(?:millrace_\w+|MILLRACE_\w+|NULL)\b", one, line)


def as_sections(text):
    """Make "Threads. Every function ..." the section "Threads"."""
    return re.sub(r"(?m)(?:^|(?<=\n\n))([A-Z][a-z]+)\. (?=[A-Z`[])", r"### \1\n\n", text)


def blocks(header):
    """Yield (comment, declaration) in their order; either may be empty."""
    comment = ""
    rest = header
    while rest:
        if rest[0].isspace():
            rest = rest.lstrip()
            continue
        if rest.startswith("/*"):
            if comment:
                yield comment, ""
            end = rest.index("*/") + 2
            comment, rest = rest[2:end - 2], rest[end:]
            # A comment belongs to the declaration below it if no empty line is between them.
            if rest.startswith("\n\n"):
                yield comment, ""
                comment = ""
            continue
        size = declaration_size(rest)
        yield comment, rest[:size].rstrip()
        comment, rest = "", rest[size:]


def declaration_size(text):
    """Return the length of the declaration or directive that `text` begins with."""
    if text.startswith("#"):
        return re.match(r"(?:.*\\\n)*.*\n?", text).end()
    if text.startswith('extern "C"'):
        return text.index("{") + 1
    if text.startswith("}"):
        return 1
    bare = COMMENT.sub(lambda found: " " * len(found[0]), text)
    depth = 0
    for at, letter in enumerate(bare):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == ";" and depth == 0:
            return at + 1
    raise ValueError(f"no end of a declaration: {text[:60]!r}")


def heading(declaration):
    for kind, pattern in NAME.items():
        found = pattern.search(declaration)
        if found and (kind != "function" or API.match(declaration)):
            return kind, found[1]
    return None, None


def shown(kind, name, declaration):
    if kind == "macro":
        return name.startswith("MILLRACE_") and not name.endswith(("_H", "_API"))
    return kind is not None and not declaration.startswith("#")


def section(comment, declaration, names):
    kind, name = heading(declaration)
    if not declaration:
        text = prose(comment, names)
        return f"*{text}*\n" if len(text) < 80 else text + "\n"
    if not shown(kind, name, declaration):
        return ""
    api = API.match(declaration)
    code = declaration.replace("\n" + " " * api.end(), "\n")[api.end():] if api else declaration
    text = f"### `{name}`\n\n```c\n{code}\n```\n"
    return text + ("\n" + prose(comment, names) + "\n" if comment else "")


def main():
    header, page = map(pathlib.Path, sys.argv[1:3])
    text = header.read_text(encoding="utf-8")
    pieces = [piece for piece in blocks(text) if "SPDX" not in piece[0]]
    names = {heading(declaration)[1] for _, declaration in pieces
             if shown(*heading(declaration), declaration)}
    head = next(at for at, piece in enumerate(pieces) if not piece[1])
    intro = as_sections(prose(pieces[head][0], names))
    body = [section(*piece, names) for piece in pieces[head + 1:]]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"# C API: {header.name}\n\n{intro}\n\n## Declarations\n\n" +
                    "\n".join(part for part in body if part), encoding="utf-8")


main()
