# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measurements of one or two pipelines: what `millrace` run, compare and diagnose do, as functions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._job import add_pipeline, keeping, measured, named_side, paths, reading
from ._results import JobResult, Rate, Verdict, rate_of, verdict_of

if TYPE_CHECKING:
    from ._job import AnyPath, OnEvent


@dataclass(frozen=True)
class RunResult(JobResult):
    """A run that was measured. If it was interrupted, the figures cover what was measured until
    then. `raw` has figures of every node, queue and stage, every repeat, failures and the
    environment. Times are in seconds unless a key's name says otherwise; figures that are not known
    are None."""

    run_id: str | None
    """The run's number in the store; None: it was not kept."""
    samples_per_second: Rate
    """The mean of all repeats with its 95 % confidence interval."""

    @property
    def figures(self) -> dict[str, float]:
        """The figures that are one number and known, such as `step_share` or `peak_rss_bytes`."""
        return {
            key: value
            for key, value in self.raw.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and key != "format_version"
        }


@dataclass(frozen=True)
class CompareResult(JobResult):
    """Two pipelines that were measured together. `raw` has the rates of every block, the differences
    of the two pipelines, and both runs as of `run`."""

    verdict: Verdict | None
    """Whether B is faster than A."""
    samples_per_second: tuple[Rate, Rate]
    """The means of A and B with their 95 % confidence intervals."""
    run_ids: tuple[str | None, str | None]
    """The runs of A and B in the store; None: not kept."""


@dataclass(frozen=True)
class Advice:
    """A change that a diagnosis advises."""

    text: str
    """What to do, in a sentence."""
    edit: dict[str, str] | None
    """The change: {"node", "param", "from", "to"} for a setting, {"add", "behind", "limit"} for a
    cache, {"move", "before"} for a node; None: it cannot be made automatically."""
    predicted: float | None
    """The predicted samples per second; None: no prediction."""
    measured_ratio: float | None
    """The rate with the change divided by the rate without it; None: it was not measured."""


@dataclass(frozen=True)
class DiagnoseResult(JobResult):
    """What limits a pipeline, and what to change. `raw` has the evidence, the runs of every variant,
    and where the time of a batch goes."""

    limit: str | None
    """What limits it, such as "cpu" or "storage" (docs/reference/limits.md); None: nothing certain."""
    node: str | None
    """The node that is the limit, if it is one."""
    confidence: str
    """How certain that is, in words."""
    advice: tuple[Advice, ...]
    """What to change, the most useful first."""
    samples_per_second: float | None
    """The unmodified pipeline's rate."""
    run_id: str | None
    """Its run in the store; None: it was not kept."""


def run(
    pipeline: AnyPath | Mapping[str, Any],
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    seconds: float | None = None,
    warmup: float | None = None,
    batches: int | None = None,
    epochs: int | None = None,
    repeats: int | None = None,
    max_failures: int | str | None = None,
    cold: bool = False,
    trace: AnyPath | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    on_event: OnEvent | None = None,
) -> RunResult:
    """Run a pipeline as fast as it can, measure it and keep the result, as `millrace run` does.

    The engine's threads do the work; the calling thread waits without the GIL. Nothing is printed.
    Whatever else the process computes meanwhile disturbs the measurement. May be called from any
    thread, but measurements at the same time disturb each other. Ctrl+C stops the run and returns
    what was measured so far; a second Ctrl+C raises KeyboardInterrupt.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict.
        data: a path, or paths, to read instead of the source's own.
        settings: settings by "NODE.PARAM", such as {"workers.count": 4}.
        seed: replaces the pipeline's.
        base: the folder for relative paths of the pipeline; by default its own.
        no_random: use the centre of each random range and the source's order.
        no_fuse: run every node separately, to measure its time.
        seconds: length of each measurement, by default 5.
        warmup: seconds before each measurement that do not count, by default 2.
        batches: measure this many batches instead of a time.
        epochs: measure this many epochs instead of a time.
        repeats: number of measurements, each with its warm-up, by default 3.
        max_failures: samples that may fail, a number or a share such as "2.5%"; by default 1 %.
        cold: drop the data from the page cache before each repeat. Without limits, a repeat is then
            one epoch without warm-up.
        trace: write a timeline of every thread to this file, for ui.perfetto.dev.
        store: keep the run in your own store (True), in this file, or not at all (False).
        experiment: the group of the run; "default" by default.
        name: the name of the run.
        tags: tags of the run.
        on_event: called on this thread with each event of the run as a dict
            (docs/reference/event-stream.md): "snapshot" five times a second, "repeat" at the end of
            each repeat. An exception in it stops the run and is raised.

    Raises:
        PipelineError: the pipeline, its data, a setting or an argument is wrong; the text lists every
            problem.
        RunError: the run failed: too many samples failed, or it could not begin.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        **reading(settings, seed, base, no_random, no_fuse, max_failures),
        **keeping(store, experiment, name, tags),
        "seconds": seconds,
        "warmup": warmup,
        "batches": batches,
        "epochs": epochs,
        "repeats": repeats,
        "cold": cold,
        "trace": None if trace is None else os.fspath(trace),
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = measured("run", options, on_event)
    return RunResult(
        outcome=raw["outcome"],
        run_id=raw["run_id"],
        samples_per_second=rate_of(raw["samples_per_second"]),
        warnings=tuple(warnings),
        raw=raw,
    )


def compare(
    a: AnyPath | int | Mapping[str, Any],
    b: AnyPath | int | Mapping[str, Any],
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    settings_a: Mapping[str, Any] | None = None,
    settings_b: Mapping[str, Any] | None = None,
    data_a: AnyPath | Sequence[AnyPath] | None = None,
    data_b: AnyPath | Sequence[AnyPath] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    seconds: float | None = None,
    warmup: float | None = None,
    repeats: int | None = None,
    max_failures: int | str | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    resume: bool = False,
    on_event: OnEvent | None = None,
) -> CompareResult:
    """Measure two pipelines together and judge which is faster, as `millrace compare` does.

    The two run in alternation, in blocks with random order; a disturbed block is measured again. This
    takes a minute or two. See `run` for threads, Ctrl+C and what the other arguments mean.

    Args:
        a: a file, the name of an example, a kept run (its number, or "last"), or a document as a dict.
        b: the same.
        data: replaces the source's paths on both sides; `data_a` and `data_b` on one.
        settings: settings on both sides; `settings_a` and `settings_b` on one.
        seconds: length of each measurement, by default 5.
        warmup: seconds before each measurement that do not count, by default 2.
        repeats: number of blocks; by default 5, and 5 more if they do not decide.
        store: keep the runs in your own store (True), in this file, or not at all (False). Kept runs
            are looked up there, or in your own store.
        resume: continue the last stopped comparison of these two.

    Raises:
        PipelineError: a pipeline, its data, a setting or an argument is wrong; the text lists every
            problem with its side.
        RunError: a pipeline failed while it was measured, or the comparison could not begin.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        **reading(settings, seed, base, no_random, no_fuse, max_failures),
        **keeping(store, experiment, name, tags),
        "a": named_side(a),
        "b": named_side(b),
        "data": None if data is None else paths(data),
        "data_a": None if data_a is None else paths(data_a),
        "data_b": None if data_b is None else paths(data_b),
        "settings_a": settings_a,
        "settings_b": settings_b,
        "seconds": seconds,
        "warmup": warmup,
        "repeats": repeats,
        "resume": resume,
    }
    raw, warnings = measured("compare", options, on_event)
    return CompareResult(
        outcome=raw["outcome"],
        verdict=verdict_of(raw["verdict"]),
        samples_per_second=(
            rate_of(raw["a"]["samples_per_second"]),
            rate_of(raw["b"]["samples_per_second"]),
        ),
        run_ids=(raw["a"]["run_id"], raw["b"]["run_id"]),
        warnings=tuple(warnings),
        raw=raw,
    )


def _advice_of(advice: Mapping[str, Any]) -> Advice:
    predicted = advice.get("predicted_samples_per_second") or {}
    measured = advice.get("measured_ratio") or {}
    return Advice(
        text=advice["text"],
        edit=advice.get("edit"),
        predicted=predicted.get("middle"),
        measured_ratio=measured.get("mean"),
    )


def diagnose(
    pipeline: AnyPath | Mapping[str, Any],
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    seconds: float | None = None,
    warmup: float | None = None,
    repeats: int | None = None,
    max_failures: int | str | None = None,
    page_cache: str = "as-found",
    apply: AnyPath | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    on_event: OnEvent | None = None,
) -> DiagnoseResult:
    """Find out what limits a pipeline and what to change, as `millrace diagnose` does.

    It alternates between the unmodified pipeline and variants that lack one part, then measures the
    first advised change. This takes about a minute. See `run` for threads, Ctrl+C and what the other
    arguments mean.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict.
        seconds: length of each measurement, by default 2.
        warmup: seconds before each measurement that do not count, by default 0.5.
        repeats: number of blocks, in which each variant runs once, by default 2.
        page_cache: state of the data before each measurement: "as-found", "warm" or "cold".
        apply: write the pipeline with the first advised change to this file.
        store: keep the unmodified pipeline's run in your own store (True), in this file, or not at all
            (False).

    Raises:
        PipelineError: the pipeline, its data, a setting or an argument is wrong; the text lists every
            problem.
        RunError: the pipeline failed while it was measured, or the diagnosis could not begin.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        **reading(settings, seed, base, no_random, no_fuse, max_failures),
        **keeping(store, experiment, name, tags),
        "seconds": seconds,
        "warmup": warmup,
        "repeats": repeats,
        "page_cache": page_cache,
        "apply": None if apply is None else os.fspath(apply),
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = measured("diagnose", options, on_event)
    limit = raw["limit"] or {}
    return DiagnoseResult(
        outcome=raw["outcome"],
        limit=limit.get("kind"),
        node=limit.get("node"),
        confidence=limit.get("sure") or "cannot tell",
        advice=tuple(_advice_of(advice) for advice in raw["advice"]),
        samples_per_second=raw["samples_per_second"],
        run_id=raw["run_id"],
        warnings=tuple(warnings),
        raw=raw,
    )
