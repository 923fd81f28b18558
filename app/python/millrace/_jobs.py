# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measurements: what the commands of `millrace` do, as functions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._errors import RunError
from ._job import add_pipeline, finished, named_side, paths, program_path, store_option
from ._results import Rate, Verdict, rate_of, verdict_of

if TYPE_CHECKING:
    from ._job import AnyPath, OnEvent


@dataclass(frozen=True)
class RunResult:
    """A run that was measured."""

    outcome: str
    """"finished", or "interrupted" if Ctrl+C ended it early: then the figures cover what was
    measured until then."""
    run_id: str | None
    """The run's number in the store; None: it was not kept."""
    samples_per_second: Rate
    """The mean of all repeats with its 95 % confidence interval."""
    warnings: tuple[str, ...]
    """What the user should know about the figures, in sentences."""
    raw: dict[str, Any] = field(repr=False)
    """The complete result, with the keys of `millrace run --json`: figures of every node, queue and
    stage, every repeat, failures and the environment. Times are in seconds unless a key's name says
    otherwise; figures that are not known are None."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""
        return self.outcome == "interrupted"

    @property
    def figures(self) -> dict[str, float]:
        """The figures that are one number and known, such as `step_share` or `peak_rss_bytes`."""
        return {
            key: value
            for key, value in self.raw.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool) and key != "format_version"
        }


@dataclass(frozen=True)
class CompareResult:
    """Two pipelines that were measured together."""

    outcome: str
    """"finished", or "interrupted" if Ctrl+C ended it early."""
    verdict: Verdict | None
    """Whether B is faster than A."""
    samples_per_second: tuple[Rate, Rate]
    """The means of A and B with their 95 % confidence intervals."""
    run_ids: tuple[str | None, str | None]
    """The runs of A and B in the store; None: not kept."""
    warnings: tuple[str, ...]
    raw: dict[str, Any] = field(repr=False)
    """The complete result, with the keys of `millrace compare --json`: the rates of every block, the
    differences of the two pipelines, and both runs as of `run`."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""
        return self.outcome == "interrupted"


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
class DiagnoseResult:
    """What limits a pipeline, and what to change."""

    outcome: str
    """"finished", or "interrupted" if Ctrl+C ended it early."""
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
    warnings: tuple[str, ...]
    raw: dict[str, Any] = field(repr=False)
    """The complete result, with the keys of `millrace diagnose --json`: the evidence, the runs of
    every variant, and where the time of a batch goes."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""
        return self.outcome == "interrupted"


@dataclass(frozen=True)
class TuneResult:
    """The best setting that a tuning found."""

    outcome: str
    """"finished", or "interrupted" if Ctrl+C ended it early: then it is the best so far."""
    document: dict[str, Any] | None
    """The best pipeline, which `Loader` and `run` accept; None: nothing was measured."""
    settings: dict[str, str]
    """The values of what was varied, by name such as "workers.count", in the best setting."""
    gain: float | None
    """What it gains for the goal: 0.25 is 25 % better than the unmodified pipeline."""
    samples_per_second: Rate
    """Of the best setting."""
    verdict: Verdict | None
    """Whether the best differs from the unmodified pipeline; None: it is the unmodified one."""
    trials: int
    """Measured trials."""
    experiment: str | None
    """The group of its runs in the store; None: not kept."""
    run_id: str | None
    """The run of the best setting; None: not kept."""
    warnings: tuple[str, ...]
    raw: dict[str, Any] = field(repr=False)
    """The complete result, with the keys of `millrace tune --json`: every trial, the front of
    settings that none beats in both goal and cost, and the diagnosis."""

    @property
    def interrupted(self) -> bool:
        """Whether it was ended early."""
        return self.outcome == "interrupted"


def _measured(
    kind: str, options: Mapping[str, Any], on_event: OnEvent | None, program: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    raw, warnings = finished(kind, options, on_event, program)
    if raw["outcome"] == "failed":
        raise RunError(raw["reason"])
    return raw, warnings


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
        "settings": settings,
        "seed": seed,
        "base": None if base is None else os.fspath(base),
        "no_random": no_random,
        "no_fuse": no_fuse,
        "seconds": seconds,
        "warmup": warmup,
        "batches": batches,
        "epochs": epochs,
        "repeats": repeats,
        "max_failures": None if max_failures is None else str(max_failures),
        "cold": cold,
        "trace": None if trace is None else os.fspath(trace),
        "store": store_option(store),
        "experiment": experiment,
        "name": name,
        "tags": None if tags is None else list(tags),
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = _measured("run", options, on_event)
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
        "a": named_side(a),
        "b": named_side(b),
        "data": None if data is None else paths(data),
        "data_a": None if data_a is None else paths(data_a),
        "data_b": None if data_b is None else paths(data_b),
        "settings": settings,
        "settings_a": settings_a,
        "settings_b": settings_b,
        "seed": seed,
        "base": None if base is None else os.fspath(base),
        "no_random": no_random,
        "no_fuse": no_fuse,
        "seconds": seconds,
        "warmup": warmup,
        "repeats": repeats,
        "max_failures": None if max_failures is None else str(max_failures),
        "store": store_option(store),
        "experiment": experiment,
        "name": name,
        "tags": None if tags is None else list(tags),
        "resume": resume,
    }
    raw, warnings = _measured("compare", options, on_event)
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
        "settings": settings,
        "seed": seed,
        "base": None if base is None else os.fspath(base),
        "no_random": no_random,
        "no_fuse": no_fuse,
        "seconds": seconds,
        "warmup": warmup,
        "repeats": repeats,
        "max_failures": None if max_failures is None else str(max_failures),
        "page_cache": page_cache,
        "apply": None if apply is None else os.fspath(apply),
        "store": store_option(store),
        "experiment": experiment,
        "name": name,
        "tags": None if tags is None else list(tags),
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = _measured("diagnose", options, on_event)
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


def tune(
    pipeline: AnyPath | Mapping[str, Any],
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    budget: float | str = "2m",
    goal: str = "throughput",
    memory: str | None = None,
    allow: str | Sequence[str] | None = None,
    vary: str | Sequence[str] | None = None,
    seconds: float | None = None,
    warmup: float | None = None,
    trial_timeout: float | None = None,
    max_failures: int | str | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    program: AnyPath | None = None,
    on_event: OnEvent | None = None,
) -> TuneResult:
    """Find the best settings of a pipeline by measuring, as `millrace tune` does.

    It diagnoses the pipeline in this process, then tries the most promising settings, each in a
    separate process of the program `millrace`. What training gets does not change unless `allow`
    permits it. A tuning that Ctrl+C stopped can be continued by `millrace tune --resume`, if it was
    kept. See `run` for threads, Ctrl+C and what the other arguments mean.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict.
        budget: the total time, in seconds or as a text such as "90s" or "2m".
        goal: "throughput", "cost" (CPU time per sample), "latency" (95th percentile of the wait for a
            batch) or "epoch-time" (the first epoch including the start).
        memory: memory limit of each trial, such as "8G".
        allow: what may change for training: "order", "batching", "values".
        vary: also try these values of a parameter, such as "workers.count=1,2,4".
        seconds: length of each measurement, by default 1.5.
        warmup: seconds before each measurement that do not count, by default 0.5.
        trial_timeout: a trial that takes longer, in seconds, fails.
        store: keep the trials in your own store (True), in this file, or not at all (False).
        experiment: the group of the runs; by default a new one.
        program: the `millrace` program. By default the environment variable MILLRACE_PROGRAM, else
            the one next to the engine's library, else the one on the PATH.

    Raises:
        PipelineError: the pipeline, its data, a setting or an argument is wrong; the text lists every
            problem.
        RunError: the tuning could not begin, or the unmodified pipeline failed.
        UseError: there is no program `millrace`.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        "settings": settings,
        "seed": seed,
        "base": None if base is None else os.fspath(base),
        "no_random": no_random,
        "no_fuse": no_fuse,
        "budget": budget if isinstance(budget, str) else f"{budget}s",
        "for": goal,
        "memory": memory,
        "allow": allow if allow is None or isinstance(allow, str) else list(allow),
        "vary": vary if vary is None or isinstance(vary, str) else list(vary),
        "seconds": seconds,
        "warmup": warmup,
        "trial_timeout": trial_timeout,
        "max_failures": None if max_failures is None else str(max_failures),
        "store": store_option(store),
        "experiment": experiment,
        "name": name,
        "tags": None if tags is None else list(tags),
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = _measured("tune", options, on_event, program_path(program))
    best = raw["best"]
    if best is None and raw["outcome"] != "interrupted":
        raise RunError(raw["stopped_because"] or "the tuning measured nothing")
    best = best or {}
    return TuneResult(
        outcome=raw["outcome"],
        document=raw["document"],
        settings=dict(best.get("settings") or {}),
        gain=best.get("gain"),
        samples_per_second=rate_of(best.get("samples_per_second")),
        verdict=verdict_of(raw["verdict"]),
        trials=raw["measured_trials"],
        experiment=raw["experiment"],
        run_id=best.get("run_id"),
        warnings=tuple(warnings),
        raw=raw,
    )
