# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Measurements of many settings of a pipeline: what `millrace` sweep and tune do, as functions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from ._errors import RunError
from ._job import add_pipeline, keeping, measured, plain, program_path, reading
from ._results import JobResult, Rate, Verdict, rate_of, verdict_of

if TYPE_CHECKING:
    from ._job import AnyPath, OnEvent

    Vary = Union[str, Sequence[str], Mapping[str, Any]]


@dataclass(frozen=True)
class SweepTrial:
    """A setting that a sweep measured, or could not measure."""

    settings: dict[str, Any]
    """The values of what is varied, by name such as "workers.count"."""
    samples_per_second: Rate
    """Over the repeats that were measured."""
    state: str
    """"measured"; "part": some repeats are missing, because the sweep was stopped; "failed"; "waiting":
    not measured at all."""
    reason: str | None
    """Why it failed; None: it did not."""
    current: bool
    """Whether it is the pipeline's own setting."""
    run_id: str | None
    """Its run in the store; None: it was not kept."""


@dataclass(frozen=True)
class SweepResult(JobResult):
    """Many settings of a pipeline that were measured together. `raw` has every repeat, which
    parameter matters how much (`importance`), and whether the best differs from the next."""

    trials: tuple[SweepTrial, ...]
    """All settings, in the order of the grid: the first varied parameter changes slowest."""
    ranking: tuple[SweepTrial, ...]
    """The measured ones, the fastest first."""
    verdict: Verdict | None
    """Whether the fastest differs from the pipeline's own setting; None: it is that setting, or one
    of the two was not measured."""
    experiment: str | None
    """The group of its runs in the store; None: not kept."""

    @property
    def best(self) -> SweepTrial | None:
        """The fastest; None: nothing was measured."""
        return self.ranking[0] if self.ranking else None


@dataclass(frozen=True)
class TuneResult(JobResult):
    """The best setting that a tuning found; if it was interrupted, the best so far. `raw` has every
    trial, the front of settings that none beats in both goal and cost, and the diagnosis."""

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
    """Trials that ended, including those that were disturbed and measured again."""
    missing: str | None
    """Of a replay: why it ended early, in a sentence; None: it did not."""
    experiment: str | None
    """The group of its runs in the store; None: not kept."""
    run_id: str | None
    """The run of the best setting; None: not kept."""


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return ",".join(_value(part) for part in value)
    return json.dumps(value, default=plain)


def _values(values: Any) -> str:
    """Return the values of a varied parameter as `vary` has them: lists are separated by `;`."""
    if not isinstance(values, (list, tuple, range)):
        return _value(values)
    lists = all(isinstance(value, (list, tuple)) for value in values)
    return (";" if lists else ",").join(_value(value) for value in values)


def _varied(vary: Vary | None) -> str | list[str] | None:
    if vary is None or isinstance(vary, str):
        return vary
    if isinstance(vary, Mapping):
        return [f"{name}={_values(values)}" for name, values in vary.items()]
    return list(vary)


def _trial(trial: Mapping[str, Any]) -> SweepTrial:
    return SweepTrial(
        settings=dict(trial["settings"]),
        samples_per_second=rate_of(trial["samples_per_second"]),
        state=trial["state"],
        reason=trial["reason"] or None,
        current=trial["current"],
        run_id=trial["run_id"] or None,
    )


def sweep(
    pipeline: AnyPath | Mapping[str, Any],
    vary: Vary,
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    plan: str = "full",
    seconds: float | None = None,
    batches: int | None = None,
    warmup: float | None = None,
    repeats: int | None = None,
    trial_timeout: float | None = None,
    trial_memory: str | None = None,
    max_failures: int | str | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    resume: bool | str = False,
    program: AnyPath | None = None,
    on_event: OnEvent | None = None,
) -> SweepResult:
    """Measure a pipeline with many settings and find the fastest, as `millrace sweep` does.

    Every setting runs once per block, in random order and in a separate process of the program
    `millrace`. If it crashes, hangs or uses too much memory, that is its result, and the sweep
    continues. The pipeline's own setting is always measured, too. See `run` for threads, Ctrl+C and
    what the other arguments mean.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict.
        vary: the parameters and their values, as a dict such as {"workers.count": [1, 2, 4],
            "batch.size": "16..256:x2"}, or as texts such as "workers.count=1,2,4". A text of values is
            as for `millrace sweep --vary`: "1..16", "1..16:2" (a step), "16..256:x2" (doubling), "*".
        seed: of all draws, of the plan and of the order within blocks; replaces the pipeline's.
        plan: which combinations: "full" (all), "random:N", or "latin:N" (a Latin hypercube).
        seconds: length of each measurement, by default 5.
        batches: measure this many batches instead of a time.
        warmup: seconds before each measurement that do not count, by default 2.
        repeats: number of blocks, by default 3.
        trial_timeout: a trial that takes longer, in seconds, fails; by default 60 s plus ten times its
            length.
        trial_memory: a trial that uses more memory, such as "2G", fails.
        store: keep the trials in your own store (True), in this file, or not at all (False).
        experiment: the group of the runs; by default a new one.
        resume: continue the last stopped sweep of these settings (True), or that of this experiment.
        program: the `millrace` program. By default the environment variable MILLRACE_PROGRAM, else
            the one next to the engine's library, else the one on the PATH.

    Raises:
        PipelineError: the pipeline, its data, a setting or an argument is wrong; the text lists every
            problem.
        RunError: the sweep could not begin, or every setting failed.
        UseError: there is no program `millrace`.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        **reading(settings, seed, base, no_random, no_fuse, max_failures),
        **keeping(store, experiment, name, tags),
        "vary": _varied(vary),
        "plan": plan,
        "seconds": seconds,
        "batches": batches,
        "warmup": warmup,
        "repeats": repeats,
        "trial_timeout": trial_timeout,
        "trial_memory": trial_memory,
        "resume": resume,
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = measured("sweep", options, on_event, program_path(program))
    trials = tuple(_trial(trial) for trial in raw["trials"])
    if not raw["ranking"] and raw["outcome"] != "interrupted":
        raise RunError(f"every setting failed; the first: {trials[0].reason}")
    return SweepResult(
        outcome=raw["outcome"],
        warnings=tuple(warnings),
        raw=raw,
        trials=trials,
        ranking=tuple(trials[trial] for trial in raw["ranking"]),
        verdict=verdict_of(raw["verdict"]),
        experiment=raw["experiment"] or None,
    )


def tune(
    pipeline: AnyPath | Mapping[str, Any] | None = None,
    *,
    data: AnyPath | Sequence[AnyPath] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int | None = None,
    base: AnyPath | None = None,
    no_random: bool = False,
    no_fuse: bool = False,
    budget: float | str | None = None,
    goal: str | None = None,
    memory: str | None = None,
    cores: int | None = None,
    allow: str | Sequence[str] | None = None,
    vary: Vary | None = None,
    seconds: float | None = None,
    warmup: float | None = None,
    trial_timeout: float | None = None,
    max_failures: int | str | None = None,
    store: bool | AnyPath = True,
    experiment: str | None = None,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    resume: bool | str = False,
    replay: str | None = None,
    program: AnyPath | None = None,
    on_event: OnEvent | None = None,
) -> TuneResult:
    """Find the best settings of a pipeline by measuring, as `millrace tune` does.

    It diagnoses the pipeline in this process, then tries the most promising settings, each in a
    separate process of the program `millrace`. What training gets does not change unless `allow`
    permits it. See `run` for threads, Ctrl+C and what the other arguments mean.

    Args:
        pipeline: a *.millrace.json file, the name of an example, or a document as a dict. With
            `resume` and `replay` it may be left out: the kept one is used.
        budget: the total time, in seconds or as a text such as "90s"; by default "2m".
        goal: "throughput" (the default), "cost" (CPU time per sample), "latency" (95th percentile of
            the wait for a batch) or "epoch-time" (the first epoch including the start).
        memory: memory limit of each trial, such as "8G".
        cores: number of cores that all trials run on. Other threads of this process are not
            restricted.
        allow: what may change for training: "order", "batching", "values".
        vary: also try these values of a parameter; see `sweep`.
        seconds: length of each measurement, by default 1.5.
        warmup: seconds before each measurement that do not count, by default 0.5.
        trial_timeout: a trial that takes longer, in seconds, fails.
        store: keep the trials in your own store (True), in this file, or not at all (False).
        experiment: the group of the runs; by default a new one.
        resume: continue the last stopped tuning (True; of this pipeline, if one is named), or that of
            this experiment. It is the same search: of the other arguments only the pipeline, its data
            and settings, `base`, `store`, `program` and `on_event` may be given.
        replay: repeat the search of this kept tuning with its measurements. Nothing is measured or
            kept. Another `budget`, `goal`, `memory`, `cores`, `allow` or `vary` shows what would have
            been chosen.
        program: the `millrace` program. By default the environment variable MILLRACE_PROGRAM, else
            the one next to the engine's library, else the one on the PATH.

    Raises:
        PipelineError: the pipeline, its data, a setting or an argument is wrong; the text lists every
            problem. There is no such kept tuning.
        RunError: the tuning could not begin, or the unmodified pipeline failed.
        UseError: there is no program `millrace`.
        ImportError: the engine's library is missing.
    """
    options: dict[str, Any] = {
        **reading(settings, seed, base, no_random, no_fuse, max_failures),
        **keeping(store, experiment, name, tags),
        "budget": budget if budget is None or isinstance(budget, str) else f"{budget}s",
        "for": goal,
        "memory": memory,
        "cores": cores,
        "allow": allow if allow is None or isinstance(allow, str) else list(allow),
        "vary": _varied(vary),
        "seconds": seconds,
        "warmup": warmup,
        "trial_timeout": trial_timeout,
        "resume": resume,
        "replay": replay,
    }
    add_pipeline(options, pipeline, data)
    raw, warnings = measured("tune", options, on_event, program_path(program))
    best = raw["best"]
    if best is None and raw["outcome"] == "finished":
        raise RunError(raw["stopped_because"] or "the tuning measured nothing")
    best = best or {}
    return TuneResult(
        outcome=raw["outcome"],
        warnings=tuple(warnings),
        raw=raw,
        document=raw["document"],
        settings=dict(best.get("settings") or {}),
        gain=best.get("gain"),
        samples_per_second=rate_of(best.get("samples_per_second")),
        verdict=verdict_of(raw["verdict"]),
        trials=raw["measured_trials"],
        missing=raw["missing"],
        experiment=raw["experiment"],
        run_id=best.get("run_id"),
    )
