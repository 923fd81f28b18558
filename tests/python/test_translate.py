# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Which nodes a transform becomes, without PyTorch: classes with its names and attributes."""

import subprocess
import sys
import types
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:  # the interpreter of a machine without it
    sys.exit(77)

FOLDER = Path(__file__).resolve().parents[2] / "resources/own_python"
parts = {file.stem: file.read_text() for file in FOLDER.glob("*.py")}
exec(parts["importer"])
centre, chain, known = (part(name) for name in ("centre", "chain", "known"))  # noqa: F821
known.learn()


def transform(key, call=None, **attributes):
    """An object of a class of another package, which returns what it gets unless `call` is given."""
    package, _, name = key.partition(".")
    kind = type(name, (), {
        "__module__": package + ".transforms", "__call__": lambda self, **named: call(**named) if call else named,
        "__repr__": lambda self: name})
    made = kind()
    vars(made).update(attributes)
    return made


def translation_of(*steps, form="numpy", size=64):
    """These steps on one picture that is passed by name."""
    translation = chain.Translation(types.ModuleType("mine"))
    value = {"image": numpy.zeros((size, size, 3), numpy.uint8)}
    made = chain.Chain(translation, ["image"], [value], form, by_name=True)
    made.unit = form == "torch"
    made.add_all(["steps.%d" % i for i in range(len(steps))], list(steps))
    return translation


def nodes_of(*steps, **how):
    """The nodes of these steps, and what became of each."""
    translation = translation_of(*steps, **how)
    return translation.nodes, [(line["how"], line["note"]) for line in translation.lines]


class Steps(unittest.TestCase):
    def test_a_resize_keeps_its_size_and_filter(self):
        nodes, lines = nodes_of(transform("torchvision.Resize", size=[30, 40], interpolation="bilinear",
                                          antialias=True, max_size=None))
        self.assertEqual(nodes, [{"kind": "resize", "params": {
            "height": 30, "width": 40, "mode": "squash", "filter": "bilinear"}}])
        self.assertEqual(lines, [("exact", "")])

    def test_albumentations_does_not_average_when_it_shrinks(self):
        nodes, _ = nodes_of(transform("albumentations.Resize", height=30, width=40, interpolation=1, p=1))
        self.assertEqual(nodes[0]["params"]["antialias"], False)
        _, lines = nodes_of(transform("albumentations.Resize", height=30, width=40, interpolation=0, p=1))
        self.assertEqual(lines[0][0], "yours")

    def test_a_shorter_side_keeps_the_aspect_ratio_and_a_crop_within_it_pads_nothing(self):
        crop = transform("torchvision.CenterCrop", size=(20, 24))
        resize = transform("torchvision.Resize", size=32, interpolation="bilinear", max_size=None)
        nodes, lines = nodes_of(resize, crop)
        self.assertEqual(nodes[0]["params"], {"height": 32, "width": 32, "mode": "at_least", "filter": "bilinear"})
        self.assertEqual(nodes[1]["params"], {"height": 20, "width": 24, "rounding": "even"})
        self.assertEqual(lines, [("exact", "")] * 2)
        resize.size = [23]
        self.assertIs(nodes_of(resize, crop)[0][1]["params"]["pad"], True)
        self.assertIs(nodes_of(crop)[0][0]["params"]["pad"], True)

    def test_a_longer_side_alone_and_both_limits(self):
        resize = transform("torchvision.Resize", size=None, interpolation="bilinear", max_size=48)
        self.assertEqual(nodes_of(resize)[0][0]["params"]["mode"], "at_most")
        resize.size = 32
        nodes, lines = nodes_of(resize)
        self.assertEqual(nodes[0]["kind"], "python")
        self.assertIn("max_size", lines[0][1])

    def test_pictures_whose_shorter_side_is_known_have_no_size_yet(self):
        translation = chain.Translation(types.ModuleType("mine"))
        translation.nodes = [{"kind": "resize", "params": {"mode": "at_least"}}]
        self.assertFalse(translation.is_sized("image"))
        translation.nodes.append({"kind": "centre_crop", "params": {}})
        self.assertTrue(translation.is_sized("image"))

    def test_colours_that_are_not_drawn_symmetrically_stay_the_users(self):
        even = transform("torchvision.ColorJitter", brightness=(0.6, 1.4), contrast=None, saturation=(0, 2.5),
                         hue=(-0.1, 0.1))
        self.assertEqual(nodes_of(even)[0][0]["params"],
                         {"brightness": 0.4, "contrast": 0.0, "saturation": 1.5, "hue": 0.1})
        nodes, lines = nodes_of(transform("torchvision.ColorJitter", brightness=(0.6, 1.1), contrast=None,
                                          saturation=None, hue=None))
        self.assertEqual(nodes[0]["params"]["function"], "steps.0")
        self.assertEqual(lines, [("yours", "brightness from 0.6 to 1.1 is not symmetric")])

    def test_policies_are_nodes_and_change_nothing_without_draws(self):
        common = dict(interpolation="nearest", fill=None)
        steps = [
            transform("torchvision.RandAugment", num_ops=3, magnitude=5, num_magnitude_bins=31, **common),
            transform("torchvision.TrivialAugmentWide", num_magnitude_bins=21, **common),
            transform("torchvision.AutoAugment", policy=types.SimpleNamespace(value="cifar10"), **common),
            transform("torchvision.AugMix", severity=2, mixture_width=3, chain_depth=-1, alpha=0.5, all_ops=False,
                      **common)]
        nodes, lines = nodes_of(*steps)
        self.assertEqual([each["kind"] for each in nodes],
                         ["rand_augment", "trivial_augment", "auto_augment", "aug_mix"])
        self.assertEqual(nodes[2]["params"], {"policy": "cifar10", "filter": "nearest", "fill": [0.0]})
        self.assertEqual(nodes[3]["params"]["chain_depth"], 0)
        self.assertEqual({how for how, _ in lines}, {"exact"})
        with centre.centred_objects(steps[0]):
            self.assertEqual(vars(steps[0])["forward"](7), 7)
        self.assertNotIn("forward", vars(steps[0]))
        self.assertEqual({how for how, _ in nodes_of(steps[1], form="pil")[1]}, {"differs"})

    def test_a_step_with_a_probability_is_one_node(self):
        jitter = transform("torchvision.ColorJitter", brightness=(0.6, 1.4), contrast=None, saturation=None, hue=None)
        nodes, lines = nodes_of(transform("torchvision.RandomApply", transforms=[jitter], p=0.8))
        self.assertEqual([each["kind"] for each in nodes], ["jitter"])
        self.assertEqual(nodes[0]["params"]["probability"], 0.8)
        self.assertEqual(lines, [("exact", "")])

    def test_a_probability_without_a_node_stays_the_users(self):
        nodes, lines = nodes_of(transform("albumentations.RandomCrop", height=8, width=8, p=0.5))
        self.assertEqual(nodes[0]["kind"], "python")
        self.assertIn("0.5", lines[0][1])

    def test_steps_of_which_some_are_applied_are_nodes_and_a_choice(self):
        flip = transform("torchvision.RandomHorizontalFlip", p=0.5)
        grey = transform("torchvision.RandomGrayscale", p=1.0)
        translation = translation_of(transform("torchvision.RandomApply", transforms=[flip, grey], p=0.3))
        self.assertEqual([(each["kind"], each["choice"]) for each in translation.nodes],
                         [("flip", 0), ("grayscale", 0)])
        self.assertEqual(translation.choices, [{"count": 0, "probability": 0.3}])
        self.assertEqual(translation.lines[0]["became"], ["choose", "flip", "grayscale"])
        one = transform("torchvision.RandomChoice", transforms=[flip, grey], p=[0.75, 0.25])
        self.assertEqual(translation_of(one).choices, [{"count": 1, "weights": [0.75, 0.25]}])

    def test_of_albumentations_one_is_applied_whatever_its_own_probability(self):
        flips = [transform("albumentations.HorizontalFlip", p=0.5), transform("albumentations.VerticalFlip", p=0.5)]
        translation = translation_of(transform("albumentations.OneOf", transforms=flips, transforms_ps=[0.5, 0.5], p=0.4))
        self.assertEqual([each["params"] for each in translation.nodes],
                         [{"horizontal": 1.0, "vertical": 0.0}, {"horizontal": 0.0, "vertical": 1.0}])
        self.assertEqual(translation.choices, [{"count": 1, "probability": 0.4}])
        self.assertEqual(flips[0].p, 0.5)

    def test_a_choice_of_a_step_that_no_sample_can_skip_stays_the_users(self):
        crop = transform("torchvision.CenterCrop", size=(20, 24))
        floats = transform("torchvision.ToTensor")
        flip = transform("torchvision.RandomHorizontalFlip", p=0.5)
        for other in (crop, floats, transform("mine.Own")):
            nodes, lines = nodes_of(transform("torchvision.RandomChoice", transforms=[flip, other], p=None))
            self.assertEqual([each["kind"] for each in nodes], ["python"])
            self.assertIn("samples can skip", lines[0][1])

    def test_a_rectangle_is_erased_before_the_values_are_normalised(self):
        erase = transform("torchvision.RandomErasing", p=0.3, scale=(0.02, 0.3), ratio=(0.3, 3.3), value=0)
        normalise = transform("torchvision.Normalize", mean=[0.5, 0.4, 0.3], std=[0.1, 0.2, 0.3])
        nodes, lines = nodes_of(normalise, erase, form="torch")
        self.assertEqual([each["kind"] for each in nodes], ["erase", "normalise"])
        for got, expected in zip(nodes[0]["params"]["value"], [127.5, 102, 76.5]):
            self.assertAlmostEqual(got, expected)
        self.assertEqual(lines[1][0], "differs")

    def test_what_a_step_of_the_users_returns_is_declared(self):
        grey = transform("mine.Grey", lambda image: {"image": image[:32, :, :1].astype(numpy.float32)})
        same = transform("mine.Same")
        nodes, lines = nodes_of(grey, same)
        self.assertEqual(nodes[0]["params"]["results"], ["image=f32:32x64x1"])
        self.assertNotIn("results", nodes[1]["params"])
        self.assertEqual({how for how, _ in lines}, {"yours"})

    def test_parts_of_a_compose_are_named_by_their_places(self):
        inner = transform("torchvision.Compose", transforms=[transform("mine.A"), transform("mine.B")])
        nodes, _ = nodes_of(inner)
        self.assertEqual([each["params"]["function"] for each in nodes],
                         ["steps.0.transforms.0", "steps.0.transforms.1"])


class Draws(unittest.TestCase):
    def test_draws_are_centred(self):
        program = ("import random, numpy\n"
                   "centre.centre_draws()\n"
                   "rng = numpy.random.default_rng(3)\n"
                   "assert random.uniform(2, 4) == 3 and random.Random(1).randint(0, 4) == 2\n"
                   "assert random.choice('abc') == 'b' and int(random.random() * 4) == 1\n"
                   "assert numpy.random.randint(0, 5) == 2 and rng.integers(0, 4) == 1\n"
                   "assert rng.uniform(0, 1, (2,)).tolist() == [0.5, 0.5] and rng.normal(7) == 7\n"
                   "assert rng.choice(4, p=[0.1, 0.2, 0.3, 0.4]) == 2 and rng.choice(2, p=[0.5, 0.5]) == 1\n"
                   "assert centre.Draws.count >= 8, centre.Draws.count\n")
        text = "parts = %r\nexec(parts['importer'])\ncentre = part('centre')\n%s" % (parts, program)
        subprocess.run([sys.executable, "-"], input=text.encode(), check=True)

    def test_probabilities_are_put_back(self):
        flip = transform("torchvision.RandomHorizontalFlip", p=0.5)
        holder = types.SimpleNamespace(transform=flip, generator=None)
        with centre.centred_objects(holder):
            self.assertLess(flip.p, 1e-6)
        self.assertEqual(flip.p, 0.5)


if __name__ == "__main__":
    unittest.main()
