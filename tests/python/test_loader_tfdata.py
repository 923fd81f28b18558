# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""The stages and the settings of a tf.data pipeline, with TensorFlow; skipped without it."""

import tempfile
import time
import unittest

from with_tensorflow import part, tf

knobs, trouble, tf_graph = (part(name) for name in ("knobs", "trouble", "tf_graph"))


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

    def test_a_cache_keeps_what_is_the_same_in_each_epoch(self):
        def flow():
            return tf.data.Dataset.range(20).map(lambda x: x * 2).shuffle(20).map(
                lambda x: tf.cast(x, tf.float32) + tf.random.uniform([])).batch(4)

        changed = knobs.turned(flow(), {"cache": "true"})
        self.assertEqual(ops(changed), ["BatchDatasetV2", "MapDataset", "ShuffleDatasetV3", "CacheDataset", "MapDataset",
                                        "RangeDataset"])
        epochs = [[value for batch in changed.as_numpy_iterator() for value in batch.tolist()] for _ in range(2)]
        self.assertEqual(*[sorted(int(value) for value in epoch) for epoch in epochs])
        self.assertNotEqual(*epochs)
        self.assertEqual(ops(knobs.turned(flow(), {"cache": "false"})), ops(flow()))

    def test_records_are_counted_for_a_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            name = folder + "/a.tfrecord"
            with tf.io.TFRecordWriter(name) as writer:
                for i in range(3000):
                    writer.write(b"%d" % i)
            dataset = tf.data.TFRecordDataset(name).map(tf.strings.length)
            graph = tf_graph.Graph(dataset)
            self.assertEqual(tf_graph.counted(graph, graph.chain()[0]), 3000)
            self.assertIn("CacheDataset", ops(knobs.turned(dataset.batch(2), {"cache": "true"})))

    def test_a_cache_that_is_not_sound_is_a_sentence(self):
        draws = tf.data.Dataset.range(8).map(lambda x: tf.random.uniform([2])).batch(2)
        endless = tf.data.Dataset.random(3).map(lambda x: x * 2).batch(2)
        large = tf.data.Dataset.range(10 ** 9).map(lambda x: tf.zeros([1000])).batch(2)
        for dataset, says in [(draws, "no function is mapped"), (endless, "number of elements"), (large, "are free"),
                              (tf.data.Dataset.range(8).map(lambda x: x * 2).cache().batch(2), "has a cache")]:
            with self.assertRaisesRegex(trouble.Unusable, says):
                knobs.turned(dataset, {"cache": "true"})

    def test_what_cannot_be_set_is_a_sentence(self):
        for texts, says in [({"num_workers": "1"}, "these can: parallel_calls"),
                            ({"prefetch": "-1"}, "`auto` or a whole number from 1"),
                            ({"threads": "auto"}, "a whole number from 1")]:
            with self.assertRaisesRegex(trouble.Unusable, says):
                knobs.turned(numbers(), texts)


if __name__ == "__main__":
    unittest.main()
