# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Iterates over a user's loader for `millrace loader` and reports its batches.

Each line is a JSON object, or ["b", ...] for some batches. Needs nothing but the standard library of
Python 3.8.
"""
from millrace_own_python.guarded import guarded
from millrace_own_python.knobs import turned
from millrace_own_python.loop import iterate
from millrace_own_python.subject import load, made, named


def run(lines, settings):
    module = load(settings)
    lines.phase = "make"
    thing, maker = made(named(module, settings["name"]), settings["name"])
    thing = turned(thing, settings["set"])
    lines.phase = "batch"
    iterate(lines, settings, thing, maker)


def main(settings):
    guarded(run, settings)
