# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The measurements of the Python package, with the library and the program that were built."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from shared import document, finish, pictures

import millrace
from millrace._job import program_path

SHORT = {"store": False, "warmup": 0, "seconds": 0.2, "repeats": 2}


def numbers(seconds=None):
    nodes = [("synthetic", {"count": 64, "length": 9}), ("workers", {"count": 2}), ("batch", {"size": 8})]
    nodes += ["prefetch", "drain" if seconds is None else ("emulated_step", {"seconds": seconds})]
    return document(*nodes)


class Run(unittest.TestCase):
    def test_a_run_has_a_rate_and_figures(self):
        result = millrace.run(numbers(), **{**SHORT, "repeats": 3})
        self.assertEqual((result.outcome, result.interrupted, result.run_id), ("finished", False, None))
        rate = result.samples_per_second
        self.assertGreater(rate.mean, 0)
        if rate.low is not None:  # None: another program disturbed a repeat
            self.assertLessEqual(rate.low, rate.mean)
            self.assertLessEqual(rate.mean, rate.high)
            interval = f"[{rate.low:,.0f}, {rate.high:,.0f}]"
            self.assertEqual(str(rate), f"{rate.mean:,.0f} {interval} samples/s")
        self.assertEqual(len(result.raw["repeats"]), 3)
        self.assertEqual(result.figures["samples"], result.raw["samples"])
        self.assertNotIn("outcome", result.figures)
        self.assertNotIn("raw", repr(result))

    def test_settings_and_limits_are_those_of_the_call(self):
        result = millrace.run(
            pictures(),
            settings={"batch.size": 11, "flip.horizontal": 0.25},
            epochs=2,
            warmup=0,
            repeats=1,
            store=False,
        )
        self.assertEqual(result.raw["samples"], 44)
        self.assertEqual(result.raw["batches"], 4)

    def test_the_same_result_keys_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "p.millrace.json")
            file.write_text(json.dumps(numbers()))
            command = [os.environ["MILLRACE"], "run", file, "--no-store", "--json"]
            command += ["--warmup", "0", "--batches", "4", "--repeats", "1"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            result = millrace.run(file, warmup=0, batches=4, repeats=1, store=False)
        self.assertEqual(result.raw.keys(), json.loads(done.stdout).keys())

    def test_a_run_is_kept_with_its_labels(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "runs.db")
            result = millrace.run(
                numbers(), **{**SHORT, "store": file}, name="first", experiment="python", tags=["a", "b"]
            )
            self.assertEqual(result.run_id, "1")
            command = [os.environ["MILLRACE"], "runs", "show", "1", "--store", file, "--json"]
            shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        self.assertEqual((shown["name"], shown["experiment"], shown["tags"]), ("first", "python", ["a", "b"]))
        self.assertEqual(shown["samples"], result.raw["samples"])

    def test_events_come_on_the_calling_thread_and_nothing_is_printed(self):
        events, threads = [], set()

        def note(event):
            events.append(event["event"])
            threads.add(threading.current_thread())

        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            millrace.run(numbers(), **SHORT, on_event=note)
        self.assertEqual((out.getvalue(), err.getvalue()), ("", ""))
        self.assertEqual((events[0], events[-1], events.count("repeat")), ("hello", "result", 2))
        self.assertEqual(threads, {threading.current_thread()})

    def test_an_exception_of_the_caller_ends_the_run(self):
        class Enough(Exception):
            pass

        def leave(event):
            if event["event"] == "snapshot":
                raise Enough

        begun = time.monotonic()
        with self.assertRaises(Enough):
            millrace.run(numbers(), **{**SHORT, "seconds": 1000}, on_event=leave)
        self.assertLess(time.monotonic() - begun, 100)

    def test_other_threads_run_meanwhile(self):
        steps = 0
        done = threading.Event()

        def count():
            nonlocal steps
            while not done.is_set():
                steps += 1
                time.sleep(0.01)

        counting = threading.Thread(target=count)
        counting.start()
        try:
            millrace.run(numbers(0.001), **SHORT)
        finally:
            done.set()
            counting.join()
        self.assertGreater(steps, 5)

    def test_ctrl_c_returns_what_was_measured(self):
        code = (
            "import json, sys, millrace\n"
            "def note(event):\n"
            "    if event['event'] == 'snapshot': print('measuring', flush=True)\n"
            "result = millrace.run(json.loads(sys.argv[1]), store=False, warmup=0, seconds=1000,"
            " on_event=note)\n"
            "print(result.outcome, result.interrupted, result.raw['samples'] > 0)\n"
        )
        command = [sys.executable, "-c", code, json.dumps(numbers(0.001))]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "measuring\n")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=100)
        self.assertEqual((child.returncode, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], "interrupted True True")

    def test_what_is_wrong_is_listed_before_anything_is_measured(self):
        with self.assertRaises(millrace.PipelineError) as caught:
            millrace.run(numbers(), settings={"batch.size": -1, "workers.count": -2}, store=False)
        self.assertIn("batch", str(caught.exception))
        self.assertIn("workers", str(caught.exception))
        with self.assertRaisesRegex(millrace.PipelineError, "seconds"):
            millrace.run(numbers(), seconds=0, store=False)
        with self.assertRaisesRegex(millrace.PipelineError, "exclude each other"):
            millrace.run(numbers(), seconds=1, epochs=1, store=False)
        with self.assertRaisesRegex(millrace.PipelineError, "json.loads"):
            millrace.run("{}", store=False)
        with self.assertRaises(millrace.PipelineError):
            millrace.run("/there/is/no.millrace.json", store=False)

    def test_a_run_that_fails_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(4):
                Path(folder, "a").mkdir(exist_ok=True)
                Path(folder, "a", f"{i}.jpg").write_bytes(b"\xff\xd8\xff no picture")
            broken = document(
                ("image_folder", {"path": folder}),
                "decode",
                ("resize", {"width": 8, "height": 8}),
                ("batch", {"size": 2}),
                "drain",
            )
            with self.assertRaises((millrace.RunError, millrace.PipelineError)):
                millrace.run(broken, **SHORT)


class Compare(unittest.TestCase):
    def test_more_time_per_batch_is_slower(self):
        result = millrace.compare(
            numbers(0.001),
            numbers(0.001),
            settings_b={"emulated_step.seconds": 0.004},
            seconds=0.3,
            warmup=0.1,
            repeats=5,
            store=False,
        )
        self.assertEqual((result.outcome, result.interrupted), ("finished", False))
        self.assertEqual(result.verdict.kind, "slower")
        self.assertLess(result.verdict.high, 1)
        self.assertLessEqual(result.verdict.low, result.verdict.ratio)
        self.assertEqual(str(result.verdict), result.raw["verdict"]["sentence"])
        a, b = result.samples_per_second
        self.assertGreater(a.mean, b.mean)
        self.assertEqual(result.run_ids, (None, None))
        self.assertEqual(len(result.raw["blocks"]), 5)

    def test_kept_runs_are_found_in_the_store(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "runs.db")
            kept = millrace.run(numbers(), **{**SHORT, "store": file})
            result = millrace.compare(
                "last", int(kept.run_id), seconds=0.1, warmup=0, repeats=1, store=file
            )
            self.assertEqual(result.verdict.kind, "too few")
            self.assertNotIn(None, result.run_ids)

    def test_what_is_wrong_names_its_side(self):
        with self.assertRaisesRegex(millrace.PipelineError, "B"):
            millrace.compare(numbers(), numbers(), settings_b={"batch.size": -1}, store=False)
        with self.assertRaisesRegex(millrace.PipelineError, "repeats"):
            millrace.compare(numbers(), numbers(), repeats=0, store=False)


class Diagnose(unittest.TestCase):
    def test_a_slow_step_is_the_limit(self):
        steps = []
        result = millrace.diagnose(
            numbers(0.01),
            seconds=0.5,
            warmup=0.1,
            repeats=1,
            store=False,
            on_event=lambda event: steps.append(event.get("what")),
        )
        self.assertEqual((result.outcome, result.run_id), ("finished", None))
        self.assertEqual(result.limit, "step")
        self.assertGreater(result.samples_per_second, 0)
        self.assertGreater(len(result.raw["runs"]), 1)
        self.assertTrue(any(steps))

    def test_wrong_options_are_refused(self):
        with self.assertRaisesRegex(millrace.PipelineError, "as-found, warm and cold"):
            millrace.diagnose(numbers(), page_cache="hot", store=False)


class Examine(unittest.TestCase):
    def test_broken_files_are_found_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a/1.jpg", "a/2.jpg", "b/1.jpg"):
                file = Path(folder, name)
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(b"no picture: " + name.encode())
            events = []
            result = millrace.examine(folder, workers=1, restart=True, on_event=events.append)
            self.assertEqual((result.outcome, result.findings["broken"]), ("finished", 3))
            self.assertEqual(len(result.samples("broken")), 3)
            self.assertIn("not an image", result.samples("broken")[0]["reason"])
            self.assertEqual(result.samples("tiny"), [])
            self.assertEqual(result.raw["sets"][0]["samples"], 3)
            self.assertEqual([events[0]["event"], events[-1]["event"]], ["hello", "result"])
            few = millrace.examine(folder, names=1)
            self.assertEqual((few.findings["broken"], len(few.samples("broken"))), (3, 1))

    def test_what_is_wrong_is_named(self):
        with self.assertRaisesRegex(millrace.PipelineError, "does not exist"):
            millrace.examine("/nowhere/at all")
        with self.assertRaisesRegex(millrace.PipelineError, "name the data"):
            millrace.examine("")


class Sweep(unittest.TestCase):
    SHORT = {"store": False, "warmup": 0, "seconds": 0.2, "repeats": 2}

    def setUp(self):
        self.program = os.environ["MILLRACE"]

    def test_the_fastest_setting_comes_first(self):
        events = []
        result = millrace.sweep(
            numbers(0.001),
            {"emulated_step.seconds": [0.001, 0.01]},
            **self.SHORT,
            program=self.program,
            on_event=lambda event: events.append(event["event"]),
        )
        self.assertEqual((result.outcome, result.experiment), ("finished", None))
        self.assertEqual([trial.current for trial in result.trials], [True, False])
        self.assertIs(result.best, result.trials[0])
        self.assertEqual(result.best.settings, {"emulated_step.seconds": 0.001})
        rates = [trial.samples_per_second.mean for trial in result.ranking]
        self.assertGreater(rates[0], 2 * rates[1])
        self.assertEqual({trial.state for trial in result.trials}, {"measured"})
        self.assertIsNone(result.verdict)  # the fastest is the pipeline's own setting
        self.assertEqual((events[0], events[-1]), ("hello", "result"))
        self.assertIn("sweep", events)

    def test_ways_to_name_what_is_varied(self):
        for vary in (
            {"workers.count": range(1, 3), "batch.size": "4..8:x2"},
            ["workers.count=1,2", "batch.size=4,8"],
        ):
            result = millrace.sweep(
                numbers(), vary, plan="full", **{**self.SHORT, "repeats": 1}, program=self.program
            )
            self.assertEqual(len(result.trials), 4)
            self.assertEqual(result.trials[1].settings, {"workers.count": 1, "batch.size": 8})

    def test_trials_are_kept_and_a_complete_sweep_is_not_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {**self.SHORT, "store": Path(folder, "runs.db"), "program": self.program}
            result = millrace.sweep(numbers(), "workers.count=1,2", **options)
            self.assertIsNotNone(result.experiment)
            self.assertNotIn(None, [trial.run_id for trial in result.trials])
            with self.assertRaisesRegex(millrace.RunError, "no stopped sweep"):
                millrace.sweep(numbers(), "workers.count=1,2", **options, resume=True)

    def test_what_is_wrong_is_an_error(self):
        options = {**self.SHORT, "program": self.program}
        with self.assertRaisesRegex(millrace.PipelineError, "did you mean `workers`"):
            millrace.sweep(numbers(), "wrokers.count=1,2", **options)
        with self.assertRaisesRegex(millrace.PipelineError, "plan"):
            millrace.sweep(numbers(), "workers.count=1,2", plan="some", **options)
        with self.assertRaisesRegex(millrace.PipelineError, "`vary`"):
            millrace.sweep(numbers(), [], **options)
        with self.assertRaisesRegex(millrace.RunError, "every setting failed.*memory"):
            millrace.sweep(numbers(0.01), "workers.count=1,2", trial_memory="1M", **options)


class Tune(unittest.TestCase):
    def test_a_kept_tuning_is_replayed_for_another_goal(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {"store": Path(folder, "runs.db"), "program": os.environ["MILLRACE"]}
            tuned = millrace.tune(
                numbers(0.001), budget=8, seconds=0.2, warmup=0, experiment="first", cores=1, **options
            )
            again = millrace.tune(replay="first", **options)
            other = millrace.tune(replay="first", goal="cost", **options)
            with self.assertRaisesRegex(millrace.PipelineError, "it has \"first\""):
                millrace.tune(replay="second", **options)
            with self.assertRaisesRegex(millrace.PipelineError, "no stopped tuning"):
                millrace.tune(resume="first", **options)
            with self.assertRaisesRegex(millrace.PipelineError, "measured already"):
                millrace.tune(replay="first", seconds=1, **options)
        self.assertEqual(tuned.raw["limits"]["cores"], 1)
        self.assertEqual((again.outcome, again.missing), ("finished", None))
        self.assertEqual((again.settings, again.document), (tuned.settings, tuned.document))
        self.assertEqual(again.raw["replayed_trials"], tuned.trials)
        self.assertEqual(other.raw["for"], "cost")
        self.assertIn(other.outcome, ("finished", "incomplete"))
        self.assertEqual(other.outcome == "incomplete", other.missing is not None)

    def test_a_document_that_runs_and_its_trials_in_the_store(self):
        events = []
        with tempfile.TemporaryDirectory() as folder:
            result = millrace.tune(
                pictures(samples=64, size=8, workers=1),
                budget=12,
                seconds=0.3,
                warmup=0.1,
                store=Path(folder, "runs.db"),
                program=os.environ["MILLRACE"],
                on_event=lambda event: events.append(event["event"]),
            )
        self.assertEqual((result.outcome, result.interrupted), ("finished", False))
        self.assertGreater(result.trials, 1)
        self.assertEqual(result.trials, events.count("trial_ended"))
        self.assertGreater(result.samples_per_second.mean, 0)
        self.assertIsNotNone(result.experiment)
        self.assertIsNotNone(result.run_id)
        self.assertEqual((events[0], events[-2:]), ("hello", ["tune_ended", "result"]))
        self.assertIn("tune_space", events)
        with millrace.Loader(result.document) as loader:
            self.assertEqual(loader.fields[0]["name"], "image")

    def test_the_program_is_found_or_missed_with_a_clear_text(self):
        variable = os.environ.get("MILLRACE_PROGRAM")
        os.environ["MILLRACE_PROGRAM"] = "/there/is/none"
        try:
            with self.assertRaisesRegex(millrace.UseError, "/there/is/none"):
                millrace.tune(numbers(), store=False)
            os.environ["MILLRACE_PROGRAM"] = os.environ["MILLRACE"]
            self.assertEqual(program_path(None), os.environ["MILLRACE"])
            del os.environ["MILLRACE_PROGRAM"]
            with tempfile.TemporaryDirectory() as folder:
                path, os.environ["PATH"] = os.environ["PATH"], folder
                try:
                    with self.assertRaisesRegex(millrace.UseError, "MILLRACE_PROGRAM"):
                        program_path(None)
                    os.symlink(os.environ["MILLRACE"], Path(folder, "millrace"))
                    self.assertEqual(program_path(None), str(Path(folder, "millrace")))
                finally:
                    os.environ["PATH"] = path
        finally:
            os.environ.pop("MILLRACE_PROGRAM", None)
            if variable is not None:
                os.environ["MILLRACE_PROGRAM"] = variable

    def test_wrong_options_are_refused(self):
        program = os.environ["MILLRACE"]
        with self.assertRaisesRegex(millrace.PipelineError, "budget"):
            millrace.tune(numbers(), budget=0.1, store=False, program=program)
        with self.assertRaisesRegex(millrace.PipelineError, "speed"):
            millrace.tune(numbers(), goal="speed", store=False, program=program)


if __name__ == "__main__":
    finish()
