# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Pipeline documents and tables, as the experiments' scripts write them."""
import csv


def chain(*nodes):
    """A pipeline document of (kind, parameters) in a row. A node's id is its kind, followed by
    a number where a kind is repeated."""
    ids = []
    for kind, _ in nodes:
        again = sum(kind == other for other, _ in nodes[:len(ids)])
        ids.append(f"{kind}_{again + 1}" if again else kind)
    return {
        "format_version": 1, "seed": 1,
        "nodes": [{"id": i, "kind": k, "params": p} for i, (k, p) in zip(ids, nodes)],
        "wires": [{"from": a, "to": b} for a, b in zip(ids, ids[1:])],
    }


def write_table(path, columns, rows):
    """Rows are dictionaries; what one lacks stays empty."""
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def keep_rows(path, columns, order, rows):
    """The table at `path` with `rows` in the place of those with the same first column; `order`
    names all that there may be."""
    known = []
    if path.exists():
        with open(path, newline="") as file:
            known = list(csv.DictReader(file))
    new = {row[columns[0]] for row in rows}
    kept = [row for row in known if row[columns[0]] not in new] + list(rows)
    write_table(path, columns, [row for name in order for row in kept if row[columns[0]] == name])
