# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The stages and the settings of a tf.data pipeline, with TensorFlow; skipped without it."""

import sys
import time
import unittest
from pathlib import Path

try:
    import tensorflow as tf
except ImportError:
    print("skipped: TensorFlow is not installed")
    sys.exit(77)

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
knobs, trouble, tf_graph = (part(name) for name in ("knobs", "trouble", "tf_graph"))  # noqa: F821


def slow(number):
    def wait(number):
        time.sleep(0.002)
        return number

    return tf.numpy_function(wait, [number], tf.int64)


def numbers():
    return tf.data.Dataset.range(100).map(lambda x: x * 2).map(slow).batch(8)


def ops(dataset):
    return [node.op for node in tf_graph.Graph(dataset).chain() if tf_graph.short(node.op) != "Options"]


class TfData(unittest.TestCase):
    def test_stages_have_the_names_of_the_users_functions(self):
        stages = [(name, count) for name, _, count in tf_graph.stages_of(tf_graph.Graph(numbers()))]
        self.assertEqual(stages, [("range", 8), ("map", 8), ("map slow", 8), ("batch", 1)])

    def test_stages_before_a_change_of_number_are_one(self):
        dataset = numbers().unbatch().batch(4).prefetch(1)
        stages = [(name, count) for name, _, count in tf_graph.stages_of(tf_graph.Graph(dataset))]
        self.assertEqual(stages, [("up to unbatch", 4), ("batch", 1), ("prefetch", 1)])

    def test_the_costliest_stage_is_found(self):
        steps = dict(tf_graph.watch_stages(numbers()).steps)
        self.assertEqual(max(steps, key=steps.get), "map slow")
        self.assertGreater(steps["map slow"], 8 * 0.002)

    def test_settings_change_no_value(self):
        for texts in ({"parallel_calls": "2"}, {"parallel_calls": "auto", "prefetch": "auto"},
                      {"prefetch": "3"}, {"threads": "1"}, {"deterministic": "true"}):
            before = [batch.tolist() for batch in numbers().as_numpy_iterator()]
            after = [batch.tolist() for batch in knobs.turned(numbers(), texts).as_numpy_iterator()]
            self.assertEqual(after, before, texts)

    def test_maps_become_parallel_and_a_prefetch_comes_last(self):
        changed = knobs.turned(numbers(), {"parallel_calls": "2", "prefetch": "auto"})
        self.assertEqual(ops(changed), ["PrefetchDataset", "BatchDatasetV2", "ParallelMapDatasetV2",
                                        "ParallelMapDatasetV2", "RangeDataset"])
        again = knobs.turned(changed, {"prefetch": "4"})
        self.assertEqual(ops(again), ops(changed))

    def test_what_cannot_be_set_is_a_sentence(self):
        for texts, says in [({"num_workers": "1"}, "these can: parallel_calls"),
                            ({"prefetch": "-1"}, "`auto` or a whole number from 1"),
                            ({"threads": "auto"}, "a whole number from 1")]:
            with self.assertRaisesRegex(trouble.Unusable, says):
                knobs.turned(numbers(), texts)


if __name__ == "__main__":
    unittest.main()
