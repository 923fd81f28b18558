# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Which nodes a tf.data pipeline becomes, and its elements by their numbers; skipped without TensorFlow."""

import os
import tempfile
import types
import unittest

from with_tensorflow import part, tf

tf_draws, tf_iterated, tf_nodes, tf_stages, trouble = (
    part(name) for name in ("tf_draws", "tf_iterated", "tf_nodes", "tf_stages", "trouble"))
Dataset = tf.data.Dataset


def picture(number):
    return {"image": tf.fill([4, 5, 3], tf.cast(number, tf.uint8)), "label": number, "name": tf.strings.as_string(number)}


def bright(sample):
    return {"image": tf.cast(sample["image"], tf.float32) / 255, "label": sample["label"]}


def read(record):
    return tf.cast(tf.io.decode_raw(record, tf.uint8)[:2], tf.float32), tf.strings.length(record)


def translated(dataset):
    return tf_nodes.Pipeline(types.ModuleType("mine"), dataset, "loader").translate()


def kinds(translation):
    return [node["kind"] for node in translation.nodes]


def words(translation):
    return [(line["was"], line["how"]) for line in translation.lines]


class Nodes(unittest.TestCase):
    def test_a_pipeline_over_elements_is_a_data_set_of_the_users(self):
        made = translated(Dataset.range(40).shuffle(7).map(picture, num_parallel_calls=2).batch(
            8, drop_remainder=True).prefetch(3))
        self.assertEqual(kinds(made), ["python_dataset", "shuffle", "workers", "centre_crop", "batch", "prefetch"])
        parameters = [node["params"] for node in made.nodes]
        self.assertEqual(parameters[0], {"dataset": "loader._input_dataset._input_dataset",
                                         "items": ["image", "label"], "random": False, "timeout": 300})
        self.assertEqual(parameters[1:3], [{"mode": "window", "window": 7}, {"count": 2}])
        self.assertEqual(parameters[4:], [{"size": 8, "drop_last": True}, {"batches": 3}])
        self.assertEqual(words(made)[:3], [("range", "yours"), ("shuffle(7)", "exact"), ("map picture", "yours")])

    def test_what_is_mapped_after_a_cache_is_a_node(self):
        made = translated(Dataset.range(9).map(lambda x: {"image": tf.fill([4, 4, 3], tf.cast(x, tf.uint8)), "label": x})
                          .cache().map(bright).batch(2))
        self.assertEqual(kinds(made), ["python_dataset", "workers", "memory_cache", "python", "batch"])
        self.assertEqual(made.nodes[3]["params"]["results"], ["image=f32:4x4x3:image", "label=i64:scalar:label"])
        self.assertEqual(made.nodes[3]["params"]["function"], "loader._input_dataset")

    def test_a_cache_of_what_no_node_keeps_is_left_out(self):
        for dataset, why in [(Dataset.range(9).map(picture), "text"),
                             (Dataset.range(9).map(lambda x: tf.random.uniform([2])), "draws random numbers")]:
            made = translated(dataset.cache().batch(2))
            self.assertNotIn("memory_cache", kinds(made))
            note = next(line["note"] for line in made.lines if line["was"] == "cache")
            self.assertIn(why, note)

    def test_what_comes_in_another_order_differs(self):
        for dataset in (Dataset.range(9).shuffle(3, reshuffle_each_iteration=False).batch(2),
                        Dataset.range(9).shuffle(3).take(4).batch(2), Dataset.range(9).repeat(2).batch(2),
                        Dataset.range(9).shuffle(3).cache().batch(2)):
            self.assertIn("differs", [how for _, how in words(translated(dataset))])

    def test_what_has_no_numbers_is_named(self):
        for dataset, stage in [(Dataset.range(9).filter(lambda x: x > 3), "`filter`"),
                               (Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec((), tf.int64)),
                                "`from_generator`")]:
            with self.assertRaisesRegex(trouble.Unusable, stage):
                translated(dataset.batch(2))
        for dataset, says in [(Dataset.range(8).batch(2).unbatch(), "`unbatch`"),
                              (Dataset.range(8).batch(2).batch(2), "`batch` changes its batches"),
                              (Dataset.range(0).batch(2), "no samples"),
                              (Dataset.zip((Dataset.range(4).shuffle(4), Dataset.range(4))).batch(2), "shuffled"),
                              (Dataset.range(4).map(lambda x: tf.ragged.constant([[1], [2, 3]])).batch(2), "Ragged"),
                              (Dataset.range(4).map(lambda x: tf.cast(x, tf.uint32)).batch(2), "uint32")]:
            with self.assertRaisesRegex(trouble.Unusable, says):
                translated(dataset)


class Records(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.names = [os.path.join(self.folder.name, name) for name in ("a.tfrecord", "b.tfrecord")]
        for name in self.names:
            with tf.io.TFRecordWriter(name) as writer:
                for i in range(5):
                    writer.write(b"%s%d" % (os.path.basename(name)[:1].encode(), i))

    def tearDown(self):
        self.folder.cleanup()

    def test_records_are_read_by_a_node(self):
        made = translated(tf.data.TFRecordDataset(self.names).shuffle(4).map(read).take(7).batch(2))
        self.assertEqual(kinds(made), ["tfrecord", "shuffle", "take", "workers", "python", "select", "batch"])
        self.assertEqual(made.nodes[0]["params"], {"paths": self.names, "content": "bytes"})
        self.assertEqual(made.nodes[4]["params"]["as"], "tensorflow")
        self.assertEqual(words(made)[0], ("TFRecordDataset(2 files)", "exact"))

    def test_files_in_turn_or_in_another_order_differ(self):
        for dataset in (Dataset.from_tensor_slices(self.names).interleave(tf.data.TFRecordDataset, cycle_length=2),
                        Dataset.list_files(self.names).interleave(lambda name: tf.data.TFRecordDataset(name)),
                        tf.data.TFRecordDataset(self.names, num_parallel_reads=2)):
            made = translated(dataset.map(read).batch(2))
            self.assertEqual(words(made)[0], ("TFRecordDataset(2 files)", "differs"))
            self.assertEqual(len(tf_iterated.Iterated(dataset.map(read).batch(2))), 10)

    def test_an_interleave_that_does_more_has_no_numbers(self):
        dataset = Dataset.from_tensor_slices(self.names).interleave(
            lambda name: tf.data.TFRecordDataset(name).map(tf.strings.length))
        with self.assertRaisesRegex(trouble.Unusable, "`interleave`"):
            translated(dataset.batch(2))


class TheSame(unittest.TestCase):
    """Elements by their numbers against the pipeline as TensorFlow runs it."""

    def check(self, dataset, seed=0):
        theirs = tf_iterated.Iterated(dataset)
        ours = tf_stages.Elements(tf_stages.samples_of(dataset))
        self.assertEqual(len(theirs), len(ours))
        theirs.set_random_seed(seed)
        ours.set_random_seed(seed)
        for i in (len(ours) - 1, 0):
            self.assertEqual(theirs[i].keys(), ours[i].keys())
            for name, value in theirs[i].items():
                self.assertEqual(value.tolist(), ours[i][name].tolist())
        return ours

    def test_elements_are_those_of_the_pipeline(self):
        a, b = Dataset.range(9), Dataset.range(5).map(lambda x: 2 * x)
        for dataset, last in [(a.shuffle(9).map(lambda x: x + 1).repeat().batch(2), 9),
                              (a.skip(2).shard(3, 1).batch(2), 6),
                              (a.take(3).cache(), 2), (Dataset.zip((a, b)).batch(2), 4), (a.concatenate(b), 8)]:
            ours = self.check(dataset)
            self.assertEqual(ours[len(ours) - 1]["label"], last)

    def test_draws_depend_on_the_seed_alone(self):
        pictures = tf.reshape(tf.cast(tf.range(6 * 8 * 8 * 3) % 256, tf.uint8), [6, 8, 8, 3])

        def changed(picture):
            picture = tf.image.random_flip_left_right(tf.image.random_crop(picture, [4, 4, 3]))
            return tf.image.random_brightness(picture, 0.3)

        dataset = Dataset.from_tensor_slices(pictures).map(changed).batch(2)
        for seed in (0, 1, 7):
            self.check(dataset, seed)
        ours = self.check(dataset, 3)
        first = [ours[2]["image"].tolist() for _ in range(2)]
        ours.set_random_seed(4)
        self.assertEqual(first[0], first[1])
        self.assertNotEqual(first[0], ours[2]["image"].tolist())

    def test_draws_in_a_branch_are_not_seeded_and_named(self):
        dataset = Dataset.range(4).map(lambda x: tf.cond(x > 2, lambda: tf.random.uniform([2]), lambda: tf.zeros([2])))
        self.assertIn("do not depend", translated(dataset.batch(2)).lines[1]["note"])


if __name__ == "__main__":
    unittest.main()
