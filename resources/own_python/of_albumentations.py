# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Transforms of Albumentations, and of AlbumentationsX, which has the same names."""
import copy

from millrace_own_python.chain import Became, Theirs, step
from millrace_own_python.of_torchvision import numbers

FILTERS = {1: "bilinear", 2: "bicubic"}  # of OpenCV


def always(transform):
    if transform.p < 1:
        raise Theirs("the node has no probability, and this is applied with %g" % transform.p)


def filter_of(transform):
    if transform.interpolation == 0:
        raise Theirs("the node takes the nearest pixel, OpenCV that to the left of it and above")
    if transform.interpolation not in FILTERS:
        raise Theirs("no node has the OpenCV interpolation %d" % transform.interpolation)
    return {"filter": FILTERS[transform.interpolation], "antialias": False}


def resized(kind, transform, chain, **more):
    notes = ["OpenCV's bicubic curve is sharper"] if transform.interpolation == 2 else []
    if "mask" in chain.fields:
        notes.append("of a mask OpenCV takes the pixels to the left of the nearest and above")
    return Became((kind, dict(more, **size_of(transform), **filter_of(transform))), note="; ".join(notes))


def size_of(transform):
    size = getattr(transform, "size", None) or (transform.height, transform.width)
    return {"height": int(size[0]), "width": int(size[1])}


def on_bytes(chain):
    if chain.normalised:
        raise Theirs("after Normalize it has no node")


@step("albumentations.Resize")
def resize(transform, chain):
    always(transform)
    return resized("resize", transform, chain, mode="squash")


@step("albumentations.RandomResizedCrop")
def random_resized_crop(transform, chain):
    always(transform)
    return resized("random_resized_crop", transform, chain, scale_min=transform.scale[0],
                   scale_max=transform.scale[1], ratio_min=transform.ratio[0], ratio_max=transform.ratio[1])


def crop(kind, transform):
    always(transform)
    if getattr(transform, "pad_if_needed", False):
        raise Theirs("it pads pictures that are too small")
    return Became((kind, size_of(transform)))


@step("albumentations.RandomCrop")
def random_crop(transform, chain):
    return crop("random_crop", transform)


@step("albumentations.CenterCrop")
def centre_crop(transform, chain):
    return crop("centre_crop", transform)


@step("albumentations.HorizontalFlip")
def flip(transform, chain):
    return Became(("flip", {"horizontal": float(transform.p), "vertical": 0.0}))


@step("albumentations.VerticalFlip")
def flip_vertically(transform, chain):
    return Became(("flip", {"horizontal": 0.0, "vertical": float(transform.p)}))


@step("albumentations.ToGray")
def grey(transform, chain):
    on_bytes(chain)
    if getattr(transform, "num_output_channels", 3) != 3 or getattr(
            transform, "method", "weighted_average") != "weighted_average":
        raise Theirs("the `grayscale` node keeps three channels, by their weighted average")
    return Became(("grayscale", {"probability": float(transform.p)}))


@step("albumentations.Normalize")
def normalise(transform, chain):
    always(transform)
    if chain.normalised or getattr(transform, "normalization", "standard") != "standard":
        raise Theirs("its values do not depend on fixed means alone")
    scale = transform.max_pixel_value / 255
    chain.normalised = True
    return Became(("normalise", {"mean": [each * scale for each in numbers(transform.mean)],
                                 "deviation": [each * scale for each in numbers(transform.std)]}))


@step("albumentations.ToTensorV2")
def to_tensor(transform, chain):
    chain.becomes("torch")
    return Became()


def forced(transform):
    """The transform as one that is always applied, as when it is chosen."""
    copied = copy.copy(transform)
    copied.p = 1.0
    return copied


@step("albumentations.OneOf")
def one_of_them(transform, chain):
    choice = {"count": 1, "probability": float(transform.p)}
    if len(set(transform.transforms_ps)) > 1:
        choice["weights"] = [float(each) for each in transform.transforms_ps]
    return chain.among([forced(each) for each in transform.transforms], choice)


@step("albumentations.NoOp")
def nothing(transform, chain):
    return Became()
