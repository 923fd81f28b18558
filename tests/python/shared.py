# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Pipelines that the tests run, and how a test program ends."""

import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: there is no NumPy (Debian: python3-numpy)")
    sys.exit(77)


def document(*nodes, seed=7):
    """Return a chain as a document; a node is a kind, or a kind and its parameters."""
    made = []
    for node in nodes:
        kind, params = (node, {}) if isinstance(node, str) else node
        made.append({"id": kind, "kind": kind, "params": params})
    wires = [{"from": a["id"], "to": b["id"]} for a, b in zip(made, made[1:])]
    return {"format_version": 1, "seed": seed, "nodes": made, "wires": wires}


def pictures(samples=22, size=4, workers=2, dtype="f32"):
    return document(
        ("synthetic", {"content": "image", "count": samples, "height": 20, "width": 24}),
        "shuffle",
        ("workers", {"count": workers}),
        ("random_resized_crop", {"width": 16, "height": 16}),
        "flip",
        "normalise",
        ("precision", {"dtype": dtype, "layout": "nchw"}),
        ("batch", {"size": size}),
        ("prefetch", {"batches": 1}),
        "drain",
    )


def copies(batch):
    return {name: np.array(value) for name, value in batch.items()}


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def finish():
    """Run the tests of the program that was started, and count them as QtTest does."""
    outcome = unittest.main(exit=False, verbosity=1).result
    wrong = len(outcome.failures) + len(outcome.errors)
    skipped = len(outcome.skipped)
    print(f"Totals: {outcome.testsRun - wrong - skipped} passed, {wrong} failed, {skipped} skipped")
    sys.exit(1 if wrong else 0)
