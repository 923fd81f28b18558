# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The Python package, compared with the program and the library that were built.

Takes MILLRACE (the program) and MILLRACE_LIBRARY from the environment; needs NumPy alone.
"""

import gc
import io
import json
import multiprocessing
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

from shared import copies, document, finish, np, pictures, same

import millrace
import millrace._loader

PROGRAM = os.environ["MILLRACE"]
# A blocking call is reported soon.
millrace._loader._SLICES_BEFORE_WARNING = 2


class Bits(unittest.TestCase):
    def dumped(self, pipeline, *arguments):
        """Return what `millrace run --dump` writes, a dict for each batch."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "p.millrace.json")
            file.write_text(json.dumps(pipeline))
            command = [PROGRAM, "run", file, "--dump", folder, "--dump-batches", "12"]
            command += ["--batches", "12", "--warmup", "0", "--repeats", "1", "--no-store"]
            subprocess.run([*command, *arguments], check=True, stdout=subprocess.DEVNULL)
            names = [field["name"] for field in millrace.Loader(pipeline).fields]
            return [
                {name: np.load(Path(folder, f"batch_{i:05}.{name}.npy")) for name in names}
                for i in range(12)
            ]

    def test_the_same_bits_as_a_dump_before_and_after_a_restore_at_any_batch(self):
        for dtype in ("f32", "bf16"):
            pipeline = pictures(dtype=dtype)
            expected = self.dumped(pipeline)
            with millrace.Loader(pipeline, overrides={"workers.count": 3}) as loader:
                self.assertEqual(len(loader), 6)
                states, seen = [loader.state_dict()], []
                for _ in range(2):
                    for batch in loader:
                        seen.append(copies(batch))
                        states.append(loader.state_dict())
                self.assertTrue(all(map(same, seen, expected)))
                self.assertEqual(len(seen), 12)
                for at in range(12):
                    loader.load_state_dict(json.loads(json.dumps(states[at])))
                    rest = [copies(batch) for batch in loader]
                    end = 6 if at < 6 else 12
                    self.assertEqual(len(rest), end - at)
                    self.assertTrue(all(map(same, rest, expected[at:end])))

    def test_seed_and_epoch_choose_the_batches(self):
        with millrace.Loader(pictures(), seed=8) as loader:
            loader.set_epoch(3)
            batch = next(iter(loader))
            self.assertEqual((batch.epoch, batch.index, batch.rows), (3, 0, 4))
            first = copies(batch)
        expected = self.dumped(pictures(), "--seed", "8", "--start", "3:0")
        self.assertTrue(same(first, expected[0]))
        with millrace.Loader(pictures(), seed=8) as loader:
            loader.set_epoch(3, batch=4)
            self.assertTrue(all(map(same, (copies(batch) for batch in loader), expected[4:6])))
            with self.assertRaisesRegex(millrace.UseError, "epoch 3 has 6 batches"):
                loader.set_epoch(3, batch=6)

    def test_pictures_of_different_sizes_are_a_list_and_can_be_padded(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, size in enumerate([(5, 4), (3, 7), (6, 2)]):
                Path(folder, f"{number}.bmp").write_bytes(bmp(*size))
            pipeline = document(
                ("image_folder", {"paths": [folder]}),
                "decode",
                ("batch", {"size": 3, "keep_sizes": True}),
                "drain",
            )
            with millrace.Loader(pipeline) as loader:
                batch = next(iter(loader))
                self.assertEqual([row.shape for row in batch["image"]],
                                 [(4, 5, 3), (7, 3, 3), (2, 6, 3)])
                whole, shapes = batch.padded("image", fill=255)
                self.assertEqual(whole.shape, (3, 7, 6, 3))
                self.assertEqual(shapes.tolist(), [[4, 5, 3], [7, 3, 3], [2, 6, 3]])
                for picture, (height, width, _) in zip(whole, shapes):
                    self.assertTrue((picture[:height, :width] == 128).all())
                    self.assertTrue((picture[height:] == 255).all())
                    self.assertTrue((picture[:, width:] == 255).all())
                with self.assertRaisesRegex(TypeError, "`label` is no list"):
                    batch.padded("label")

    def test_pictures_padded_by_the_engine_are_one_array_with_a_mask(self):
        with tempfile.TemporaryDirectory() as folder:
            sizes = [(5, 4), (3, 7), (6, 2), (4, 4)]
            for number, size in enumerate(sizes):
                Path(folder, f"{number}.bmp").write_bytes(bmp(*size))
            pipeline = document(
                ("image_folder", {"paths": [folder]}),
                ("workers", {"count": 2}),
                "decode",
                ("batch", {"size": 2}),
                ("pad_batch", {"multiple": 4, "value": 255, "mask": "pixel_mask"}),
                ("prefetch", {"batches": 1}),
                "drain",
            )
            with millrace.Loader(pipeline) as loader:
                batches = [copies(batch) for batch in loader]
            self.assertEqual([batch["image"].shape for batch in batches],
                             [(2, 8, 8, 3), (2, 4, 8, 3)])
            for number, (width, height) in enumerate(sizes):
                picture = batches[number // 2]["image"][number % 2]
                mask = batches[number // 2]["pixel_mask"][number % 2]
                self.assertEqual(mask.shape, picture.shape[:2])
                self.assertEqual(int(mask.sum()), width * height)
                self.assertTrue((mask[:height, :width] == 1).all())
                self.assertTrue((picture[mask == 1] == 128).all())
                self.assertTrue((picture[mask == 0] == 255).all())

    def test_a_training_continues_with_another_number_of_processes(self):
        seen = []
        with millrace.Loader(pictures(), shard=(1, 2)) as loader:
            next(iter(loader))
            state = loader.state_dict()
        with millrace.Loader(pictures()) as alone:
            seen += [sample for batch, _ in zip(alone, range(2)) for sample in batch.samples]
        for rank in range(3):
            with millrace.Loader(pictures(size=2), shard=(rank, 3)) as loader:
                loader.load_state_dict(state)
                seen += [sample for batch in loader for sample in batch.samples]
        # 14 samples are left for three processes; one comes twice, because the parts are padded.
        self.assertEqual(len(seen), 8 + 15)
        self.assertEqual(set(seen), set(range(22)))

    def test_a_kept_run_can_be_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            file, store = Path(folder, "p.millrace.json"), Path(folder, "runs.db")
            file.write_text(json.dumps(pictures()))
            command = [PROGRAM, "run", file, "--store", store, "--epochs", "1", "--warmup", "0"]
            subprocess.run([*command, "--repeats", "1"], check=True, stdout=subprocess.DEVNULL)
            with millrace.Loader.from_run(store, "last") as kept, millrace.Loader(file) as direct:
                self.assertTrue(same(copies(next(iter(kept))), copies(next(iter(direct)))))
            with self.assertRaisesRegex(millrace.PipelineError, "99"):
                millrace.Loader.from_run(store, 99)


class Iterating(unittest.TestCase):
    def test_each_loop_is_the_next_epoch_and_a_left_one_is_dropped(self):
        with millrace.Loader(pictures()) as loader:
            self.assertEqual([batch.epoch for batch in loader], [0] * 6)
            for batch in loader:
                self.assertEqual(batch.epoch, 1)
                break
            self.assertEqual([(b.epoch, b.index) for b in loader], [(2, i) for i in range(6)])

    def test_an_exception_in_the_loop_leaves_a_loader_that_goes_on(self):
        with millrace.Loader(pictures()) as loader:
            with self.assertRaises(ZeroDivisionError):
                for _ in loader:
                    1 / 0
            self.assertEqual([batch.epoch for batch in loader], [1] * 6)

    def test_a_newer_iteration_ends_an_older_one(self):
        with millrace.Loader(pictures()) as loader:
            old = iter(loader)
            next(old)
            next(iter(loader))
            with self.assertRaisesRegex(millrace.UseError, "newer iteration"):
                next(old)

    def test_two_loaders_and_two_shards_at_once(self):
        with millrace.Loader(pictures(), shard=(0, 2)) as a, millrace.Loader(
            pictures(), shard=(1, 2)
        ) as b:
            samples = [n for pair in zip(a, b) for batch in pair for n in batch.samples]
        self.assertEqual(sorted(samples), list(range(22)))

    def test_processes_of_a_launcher_share_the_data(self):
        code = (
            "import millrace, sys\n"
            "with millrace.Loader(sys.argv[1], shard='auto') as loader:\n"
            "    numbers = [int(n) for batch in loader for n in batch.samples]\n"
            "print(' '.join(map(str, numbers)), flush=True)\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "pictures.millrace.json"
            document.write_text(json.dumps(pictures()))
            command = [sys.executable, "-c", code, str(document)]
            alone = subprocess.run(command, capture_output=True, text=True, check=True)
            self.assertEqual(sorted(map(int, alone.stdout.split())), list(range(22)))
            mpirun = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np", "2"]
            shared = subprocess.run([*mpirun, *command], capture_output=True, text=True, check=True)
        parts = [set(map(int, line.split())) for line in shared.stdout.splitlines()]
        self.assertEqual([len(part) for part in parts], [11, 11])
        self.assertEqual(parts[0] | parts[1], set(range(22)))

    def test_figures_are_those_of_the_training(self):
        with millrace.Loader(pictures()) as loader:
            for _ in loader:
                pass
            stats = loader.stats()
        self.assertEqual((stats["samples"], stats["batches"]), (22, 6))
        self.assertEqual({node["id"] for node in stats["nodes"]} >= {"batch", "flip"}, True)
        self.assertTrue(0 < stats["step_share"] < 1)

    def test_a_closed_loader_says_so(self):
        loader = millrace.Loader(pictures())
        iterator = iter(loader)
        next(iterator)
        loader.close()
        loader.close()
        for call in (lambda: next(iterator), loader.stats, loader.state_dict, lambda: iter(loader)):
            self.assertRaisesRegex(millrace.UseError, "closed", call)

    def test_a_file_with_its_data_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(5):
                Path(folder, f"{i}.txt").write_bytes(b"x" * i)
            file = Path(folder, "p.millrace.json")
            nodes = ("image_folder", {"paths": ["elsewhere"]}), ("batch", {"size": 2}), "drain"
            file.write_text(json.dumps(document(*nodes)))
            Path(folder, "data").mkdir()
            for name in ("a.jpg", "b.jpg", "c.jpg"):
                Path(folder, "data", name).write_bytes(name.encode())
            with millrace.Loader(file, data=Path(folder, "data")) as loader:
                self.assertEqual((len(loader), loader.samples), (2, 3))
                rows = [bytes(row) for batch in loader for row in batch["image"]]
                self.assertEqual(rows, [b"a.jpg", b"b.jpg", b"c.jpg"])

    def test_waiting_lets_other_threads_run(self):
        before, millrace._loader._SLICE_SECONDS = millrace._loader._SLICE_SECONDS, 1000
        self.addCleanup(setattr, millrace._loader, "_SLICE_SECONDS", before)
        loader, seen, ended = millrace.Loader(pictures(samples=2000, size=1), held=0), [], []

        def take():
            try:
                for batch in loader:
                    seen.append(batch)
            except millrace.UseError as error:
                ended.append(str(error))

        # The thread soon waits in the engine; only this thread can end that.
        thread = threading.Thread(target=take)
        thread.start()
        while len(seen) < 3:
            time.sleep(0.001)
        loader.close()
        thread.join(60)
        self.assertEqual(ended, ["the loader is closed"])

    def test_closing_ends_a_wait_in_another_thread(self):
        loader = millrace.Loader(pictures(samples=2000, size=1), held=0)
        seen, ended = [], []
        blocked = threading.Event()

        def take():
            try:
                for batch in loader:
                    seen.append(batch)
            except millrace.UseError as error:
                ended.append(str(error))

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda *_: blocked.set()
            thread = threading.Thread(target=take)
            thread.start()
            self.assertTrue(blocked.wait(60))
            loader.close()
            thread.join(60)
        self.assertEqual(ended, ["the loader is closed"])


class Kept(unittest.TestCase):
    def shown(self, store, which="last"):
        """Return what `millrace runs show` prints about a run."""
        command = [PROGRAM, "runs", "show", which, "--store", store]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def test_a_training_is_a_run_that_can_be_seen_while_it_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            store = str(Path(folder, "runs.db"))
            with millrace.Loader(pictures(), store=store, experiment="nets", name="one") as loader:
                self.assertEqual(len(list(map(copies, loader))), 6)
                self.assertEqual(loader.run, 1)
                self.assertIn("running", self.shown(store))
                list(map(copies, loader))
            shown = self.shown(store)
            for words in ("finished", "nets", "one", "Step busy", "a training program", "44"):
                self.assertIn(words, shown)
            found = [PROGRAM, "runs", "list", "environment.origin = training", "--store", store]
            found = subprocess.run(found, check=True, capture_output=True, text=True).stdout
            self.assertIn("one", found)
            with millrace.Loader.from_run(store, 1, keep=store) as again:
                next(iter(again))
                self.assertEqual(again.run, 2)

    def test_nothing_is_kept_without_being_asked_for(self):
        with millrace.Loader(pictures()) as loader:
            next(iter(loader))
            self.assertIsNone(loader.run)

    def test_a_store_that_cannot_be_written_is_refused_at_once(self):
        with self.assertRaisesRegex(millrace.PipelineError, "/proc/nowhere"):
            millrace.Loader(pictures(), store="/proc/nowhere/runs.db")

    def test_a_training_that_is_killed_leaves_what_it_had(self):
        code = (
            "import json, os, sqlite3, sys, millrace\n"
            "pipeline, store = json.loads(sys.argv[1]), sys.argv[2]\n"
            "loader = millrace.Loader(pipeline, store=store)\n"
            "known = sqlite3.connect(store)\n"
            "share = \"select count(*) from repeat_figures where metric = 'step_share' and value > 0\"\n"
            "while not known.execute(share).fetchone()[0]:\n"
            "    for batch in loader: pass\n"
            "os.kill(os.getpid(), 9)\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            store = str(Path(folder, "runs.db"))
            command = [sys.executable, "-c", code, json.dumps(pictures()), store]
            self.assertEqual(subprocess.run(command, timeout=100).returncode, -signal.SIGKILL)
            shown = self.shown(store)
            self.assertIn("interrupted", shown)
            self.assertIn("Step busy", shown)


    def test_a_training_whose_parent_is_killed_ends_by_itself(self):
        child = (
            "import json, os, sys, time, millrace\n"
            "pipeline, folder, parent = json.loads(sys.argv[1]), sys.argv[2], os.getppid()\n"
            "with millrace.Loader(pipeline, store=folder + '/runs.db') as loader:\n"
            "    batches = iter(loader)\n"
            "    next(batches)\n"
            "    open(folder + '/begun', 'w').close()\n"
            "    while os.getppid() == parent: time.sleep(0.01)\n"
            "    rest = len(list(batches))\n"
            "with open(folder + '/new', 'w') as file: file.write(str(rest))\n"
            "os.rename(folder + '/new', folder + '/rest')\n"
        )
        parent = (
            "import subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', *sys.argv[1:]])\n"
            "print(child.pid, flush=True)\n"
            "time.sleep(1000)\n"
        )

        def wait(until):
            for _ in range(6000):
                if until():
                    return
                time.sleep(0.01)
            self.fail("it did not happen within a minute")

        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", parent, child, json.dumps(pictures()), folder]
            with subprocess.Popen(command, stdout=subprocess.PIPE) as launcher:
                try:
                    pid = int(launcher.stdout.readline())
                    wait(Path(folder, "begun").exists)
                finally:
                    launcher.kill()
            wait(Path(folder, "rest").exists)
            self.assertEqual(Path(folder, "rest").read_text(), "5")
            wait(lambda: not Path("/proc", str(pid), "exe").exists())
            self.assertIn("finished", self.shown(str(Path(folder, "runs.db"))))


def bmp(width, height):
    """Return a grey picture of 24 bits a pixel."""
    row = (width * 3 + 3) // 4 * 4
    head = struct.pack("<2sIHHI", b"BM", 54 + row * height, 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, row * height, 2835, 2835, 0, 0)
    return head + info + b"\x80" * (row * height)


class Memory(unittest.TestCase):
    def test_arrays_are_the_engines_memory_and_writable(self):
        with millrace.Loader(pictures()) as loader:
            batch = next(iter(loader))
            image = batch["image"]
            self.assertEqual((image.shape, image.dtype), ((4, 3, 16, 16), np.float32))
            self.assertFalse(image.flags.owndata)
            self.assertEqual(image.ctypes.data % 64, 0)
            image *= 2
            self.assertTrue(np.shares_memory(image, np.from_dlpack(image)))
            self.assertEqual(image.__dlpack_device__(), (1, 0))
            self.assertIn("image: f32 (4, 3, 16, 16)", repr(batch))
            self.assertEqual(sorted(batch), ["image", "label"])

    def test_a_view_keeps_its_slot_and_a_dropped_one_gives_it_back(self):
        with millrace.Loader(pictures()) as loader:
            batch = next(iter(loader))
            view, copy = np.from_dlpack(batch["image"])[1:2], np.array(batch["image"][1:2])
            del batch
            for _ in range(3):
                for _ in loader:
                    pass
            self.assertTrue(np.array_equal(view, copy))
        self.assertTrue(np.array_equal(view, copy))

    def test_an_array_that_is_kept_costs_one_slot_however_long(self):
        with millrace.Loader(pictures(size=1), held=1) as loader:
            expected = [copies(batch) for batch in millrace.Loader(pictures(size=1))]
            batches = iter(loader)
            first = next(batches)["image"]
            rest = [copies(batch) for batch in batches]
            self.assertTrue(np.array_equal(first, expected[0]["image"]))
            self.assertTrue(all(map(same, rest, expected[1:])))
            self.assertEqual([len(list(map(copies, loader))) for _ in range(3)], [22] * 3)

    def test_forgotten_references_warn_and_block_and_ctrl_c_is_heard(self):
        def interrupt(message, category, *_):
            self.assertIs(category, millrace.HeldBatchesWarning)
            self.assertIn("held=", str(message))
            os.kill(os.getpid(), signal.SIGINT)

        loader, kept = millrace.Loader(pictures(size=1)), []
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = interrupt
            with self.assertRaises(KeyboardInterrupt):
                for batch in loader:
                    kept.append((batch["image"], np.array(batch["image"])))
        signal.signal(signal.SIGINT, before)
        self.assertTrue(3 <= len(kept) < 22)
        self.assertTrue(all(np.array_equal(view, copy) for view, copy in kept))
        kept.clear()
        self.assertEqual(len(list(map(copies, loader))), 22)
        loader.close()

    def test_memory_is_flat_over_epochs(self):
        def resident():
            return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        with millrace.Loader(pictures()) as loader:
            for epoch in range(300):
                for _ in loader:
                    pass
                if epoch == 99:
                    before = resident()
        self.assertLess(resident() - before, 1 << 20)

    def test_reference_cycles_do_not_block(self):
        gc.disable()
        try:
            with millrace.Loader(pictures()) as loader:
                for batch in loader:
                    cycle = [batch]
                    cycle.append(cycle)
        finally:
            gc.enable()

    def test_rows_of_any_size_are_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(3):
                Path(folder, f"{i}.bin").write_bytes(b"x" * (i + 1))
            pipeline = document(
                ("image_folder", {"paths": [folder]}), ("batch", {"size": 3}), "drain"
            )
            with millrace.Loader(pipeline) as loader:
                batch = next(iter(loader))
                self.assertEqual([bytes(row) for row in batch["image"]], [b"x", b"xx", b"xxx"])

    def test_objects_of_pictures_are_lists_with_a_row_for_each(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in (("a", ""), ("b", "0 0.5 0.5 0.5 1\n1 0.5 0.5 1 1\n")):
                for part in ("images", "labels"):
                    Path(folder, part).mkdir(exist_ok=True)
                Path(folder, "images", name + ".bmp").write_bytes(bmp(4, 2))
                Path(folder, "labels", name + ".txt").write_text(lines)
            pipeline = document(
                ("detection", {"path": folder}),
                "decode",
                ("resize", {"height": 2, "width": 4}),
                ("batch", {"size": 2}),
                "drain",
            )
            with millrace.Loader(pipeline) as loader:
                batch = next(iter(loader))
                self.assertEqual([row.shape for row in batch["boxes"]], [(0, 4), (2, 4)])
                self.assertEqual([row.dtype for row in batch["boxes"]], [np.float32] * 2)
                self.assertEqual(batch["boxes"][1].tolist(), [[1, 0, 3, 2], [0, 0, 4, 2]])
                self.assertEqual([row.tolist() for row in batch["label"]], [[], [0, 1]])


class Trouble(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        no_batch = document("synthetic", "drain")
        for arguments, options, words in (
            (("/nowhere/p.millrace.json",), {}, "no such file"),
            (("clasification",), {}, "did you mean classification"),
            ((json.dumps(pictures()),), {}, "json.loads"),
            ((no_batch,), {}, "batch"),
            ((pictures(),), {"overrides": {"workers.counts": 8}}, "count"),
            ((pictures(),), {"overrides": {"workers.count": 0}}, "1 to"),
            (("classification",), {"data": "/nowhere"}, "/nowhere"),
            ((pictures(),), {"shard": (2, 2)}, "rank 2"),
            ((pictures(),), {"max_failures": "some"}, "max_failures"),
        ):
            with self.assertRaisesRegex(millrace.PipelineError, words):
                millrace.Loader(*arguments, **options)

    def test_a_wrong_state_is_refused_with_what_differs(self):
        state = millrace.Loader(pictures()).state_dict()
        for pipeline, words in (
            (pictures(samples=23), "23 samples now"),
        ):
            with millrace.Loader(pipeline) as loader:
                with self.assertRaisesRegex(millrace.StateError, words):
                    loader.load_state_dict(state)
                self.assertEqual(next(iter(loader)).epoch, 0)
        with millrace.Loader(pictures(workers=1)) as loader:
            for bad in ({}, {**state, "samples": 28}, {**state, "epoch": None}, {"a": object()}):
                self.assertRaises(millrace.StateError, loader.load_state_dict, bad)
            loader.load_state_dict(state)

    def test_failed_samples_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [PROGRAM, "sample-data", f"{folder}/x", "--count", "12"]
            subprocess.run(command, check=True, capture_output=True)
            data = Path(folder, "x")
            broken = sorted(data.rglob("*.jp*g"))[5]
            broken.write_bytes(b"no picture")
            pipeline = document(
                ("image_folder", {"paths": [str(data)]}),
                "decode",
                ("resize", {"width": 8, "height": 8}),
                ("batch", {"size": 4}),
                "drain",
            )
            told = []
            with millrace.Loader(pipeline, max_failures="50%", on_failure=told.append) as loader:
                rows = sum(batch.rows for batch in loader)
                self.assertEqual(rows, loader.samples - 1)
                self.assertEqual(told, loader.failures)
                self.assertTrue(told[0].sample.endswith(broken.name))
            with millrace.Loader(pipeline, max_failures=0) as loader:
                with self.assertRaisesRegex(millrace.RunError, broken.name):
                    list(map(copies, loader))

    def test_a_loader_is_not_pickled(self):
        with millrace.Loader(pictures()) as loader:
            with self.assertRaisesRegex(TypeError, "shard"):
                pickle.dump(loader, io.BytesIO())


def first_sum(queue, shard):
    with millrace.Loader(pictures(), shard=shard) as loader:
        queue.put(sum(batch.rows for batch in loader))


class Processes(unittest.TestCase):
    def test_a_fork_is_refused_with_a_sentence(self):
        loader = millrace.Loader(pictures())
        held = next(iter(loader))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                loader.load_state_dict(loader.state_dict())
            except millrace.UseError as error:
                code = 0 if "forked" in str(error) else 2
            del held
            loader.close()
            os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        loader.close()
        self.assertEqual(held.rows, 4)

    def test_spawned_processes_open_their_own(self):
        context = multiprocessing.get_context("spawn")
        queue = context.Queue()
        loader = millrace.Loader(pictures())
        next(iter(loader))
        process = context.Process(target=first_sum, args=(queue, (1, 2)))
        process.start()
        self.assertEqual(queue.get(timeout=60), 11)
        process.join()
        self.assertEqual(process.exitcode, 0)

    def test_the_interpreter_ends_with_a_loader_that_runs(self):
        for ending in ("", "raise SystemExit(0)", "loader.close()", "del loader"):
            code = (
                "import json, sys, millrace\n"
                "loader = millrace.Loader(json.loads(sys.argv[1]))\n"
                "iterator = iter(loader)\n"
                "batch = next(iterator)\n"
                "image = batch['image'][0]\n" + ending
            )
            done = subprocess.run(
                [sys.executable, "-c", code, json.dumps(pictures())], capture_output=True, timeout=60
            )
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_importing_brings_no_numpy(self):
        code = "import sys, millrace; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)

    def test_a_library_that_is_not_there_says_what_to_do(self):
        environment = {**os.environ, "MILLRACE_LIBRARY": "/nowhere/libmillrace.so"}
        code = "import millrace\ntry: millrace.Loader('x')\nexcept ImportError as e: print(e)"
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
        self.assertIn(b"MILLRACE_LIBRARY", done.stdout)

    def test_a_library_of_an_earlier_interface_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            library = f"{folder}/libmillrace.so"
            source = "unsigned millrace_abi_version(void) { return 1; }"
            command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library]
            subprocess.run(command, input=source, text=True, check=True)
            environment = {**os.environ, "MILLRACE_LIBRARY": library}
            code = "import millrace\ntry: millrace.Loader('x')\nexcept ImportError as e: print(e)"
            done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
        self.assertIn(b"has interface 1, but this package needs", done.stdout)

    def test_memory_that_is_not_there_is_an_exception(self):
        code = (
            "import json, resource, sys, millrace\n"
            "pipeline = json.loads(sys.argv[1])\n"
            "with millrace.Loader(pipeline) as loader: next(iter(loader))\n"
            "pages = int(open('/proc/self/statm').read().split()[0])\n"
            "most = pages * resource.getpagesize() + (256 << 20)\n"
            "resource.setrlimit(resource.RLIMIT_AS, (most, most))\n"
            "try: millrace.Loader(pipeline, overrides={'batch.size': 50000})\n"
            "except (millrace.PipelineError, MemoryError) as error: print(error)\n"
            "with millrace.Loader(pipeline) as loader: print(sum(1 for _ in loader))\n"
        )
        command = [sys.executable, "-c", code, json.dumps(pictures())]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(
            done.stdout, "^batch: .*memory|^prefetch: .*(more than the system allows|are free)"
        )
        self.assertTrue(done.stdout.endswith("\n6\n"))


if __name__ == "__main__":
    finish()
