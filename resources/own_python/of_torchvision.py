# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Data sets and transforms of torchvision, of both versions."""
import os

from millrace_own_python.chain import Became, Theirs, key_of, source, step
from millrace_own_python.files import Files

FILTERS = {"nearest": "nearest", "bilinear": "bilinear", "bicubic": "bicubic"}
NOTES = {"nearest": "where two pixels are as near, the other one is taken",
         "bicubic": "Pillow clips between the two directions, so a few pixels at sharp edges differ"}
BORDERS = {"constant": "constant", "edge": "edge", "reflect": "reflect", "symmetric": "symmetric"}


def filter_of(transform, chain, most="bicubic"):
    mode = getattr(transform.interpolation, "value", transform.interpolation)
    if mode not in FILTERS or most == "bilinear" and mode == "bicubic":
        raise Theirs("no node has the interpolation `%s`" % mode)
    found = {"filter": mode}
    if chain.form == "torch" and most == "bicubic" and mode != "nearest":
        found["antialias"] = bool(transform.antialias)
    return found


def numbers(value):
    return [float(each) for each in value] if isinstance(value, (list, tuple)) else [float(value)]


def fill_of(transform, chain):
    if transform.fill is None:
        return [0.0]
    if isinstance(transform.fill, dict):
        raise Theirs("it fills each kind of data with another value")
    return [each * 255 if chain.unit else each for each in numbers(transform.fill)]


def on_pixels(chain, what):
    """For nodes that act before the values are normalised."""
    if chain.normalised:
        raise Theirs("%s after Normalize has no node" % what)


def size_of(transform):
    """Height and width; a single number is the shorter side."""
    size = transform.size
    size = [size] if isinstance(size, int) else list(size)
    return size if len(size) == 2 else size[0]


@step("torchvision.Resize")
def resize(transform, chain):
    how = filter_of(transform, chain)
    if transform.size is None:
        height = width = transform.max_size
        mode = "at_most"
    elif isinstance(size_of(transform), int):
        if transform.max_size is not None:
            raise Theirs("no node has `max_size` in addition to a size")
        height = width = size_of(transform)
        mode = "at_least"
    else:
        (height, width), mode = size_of(transform), "squash"
    return Became(("resize", dict(height=height, width=width, mode=mode, **how)), note=NOTES.get(how["filter"], ""))


@step("torchvision.CenterCrop")
def centre_crop(transform, chain):
    height, width = transform.size
    node = {"height": height, "width": width, "rounding": "even"}
    if not chain.is_at_least(height, width):
        node["pad"] = True
    return Became(("centre_crop", node))


def sides(padding):
    if isinstance(padding, int):
        return [padding] * 4
    padding = list(padding)
    return padding * 4 if len(padding) == 1 else padding * 2 if len(padding) == 2 else padding


def pad_node(padding, transform, chain):
    if transform.padding_mode not in BORDERS:
        raise Theirs("no node has the padding mode `%s`" % transform.padding_mode)
    left, top, right, bottom = sides(padding)
    node = {"left": left, "top": top, "right": right, "bottom": bottom,
            "border": BORDERS[transform.padding_mode]}
    if node["border"] == "constant":
        node["fill"] = fill_of(transform, chain)
    return "pad", node


@step("torchvision.Pad")
def pad(transform, chain):
    return Became(pad_node(transform.padding, transform, chain))


@step("torchvision.RandomCrop")
def random_crop(transform, chain):
    height, width = transform.size
    nodes = [pad_node(transform.padding, transform, chain)] if transform.padding is not None else []
    crop = {"height": height, "width": width}
    note = ""
    if transform.pad_if_needed:
        if transform.padding_mode != "constant":
            raise Theirs("it pads small pictures with `%s`" % transform.padding_mode)
        crop.update(pad=True, fill=fill_of(transform, chain))
        note = "a picture that is too small is padded to the crop's size, not by that on both sides"
    return Became(*nodes, ("random_crop", crop), note=note)


@step("torchvision.RandomResizedCrop")
def random_resized_crop(transform, chain):
    height, width = transform.size
    return Became(("random_resized_crop", dict(
        height=height, width=width, scale_min=transform.scale[0], scale_max=transform.scale[1],
        ratio_min=transform.ratio[0], ratio_max=transform.ratio[1], **filter_of(transform, chain))))


@step("torchvision.RandomHorizontalFlip")
def flip(transform, chain):
    return Became(("flip", {"horizontal": transform.p, "vertical": 0.0}))


@step("torchvision.RandomVerticalFlip")
def flip_vertically(transform, chain):
    return Became(("flip", {"horizontal": 0.0, "vertical": transform.p}))


def symmetric(pair, centre, what):
    """The reach on both sides of the centre."""
    if pair is None:
        return 0.0
    low, high = pair
    if abs((centre - low) - (high - centre)) > 1e-9 and not (low == 0 and high > 2 * centre):
        raise Theirs("%s from %g to %g is not symmetric" % (what, low, high))
    return round(high - centre, 9)


@step("torchvision.ColorJitter")
def jitter(transform, chain):
    on_pixels(chain, "ColorJitter")
    reach = {name: symmetric(getattr(transform, name), 1.0, name)
             for name in ("brightness", "contrast", "saturation")}
    reach["hue"] = symmetric(transform.hue, 0.0, "hue")
    return Became(("jitter", reach))


@step("torchvision.Grayscale")
def grey(transform, chain):
    if transform.num_output_channels != 3:
        raise Theirs("the `grayscale` node keeps three channels; `form` of `decode` makes one")
    on_pixels(chain, "Grayscale")
    return Became(("grayscale", {"probability": 1.0}))


@step("torchvision.RandomGrayscale")
def grey_at_random(transform, chain):
    on_pixels(chain, "RandomGrayscale")
    return Became(("grayscale", {"probability": transform.p}))


@step("torchvision.GaussianBlur")
def blur(transform, chain):
    on_pixels(chain, "GaussianBlur")
    width, height = transform.kernel_size
    if width != height:
        raise Theirs("its kernel is not square")
    return Became(("blur", {"kernel": width, "sigma_min": transform.sigma[0], "sigma_max": transform.sigma[1]}))


@step("torchvision.RandomApply")
def with_probability(transform, chain):
    inner = list(transform.transforms)
    steps = {"torchvision.GaussianBlur": blur, "torchvision.ColorJitter": jitter}
    if len(inner) != 1 or key_of(inner[0]) not in steps:
        return chain.among(inner, {"count": 0, "probability": float(transform.p)})
    became = steps[key_of(inner[0])](inner[0], chain)
    became.nodes[0][1]["probability"] = transform.p
    return became


@step("torchvision.RandomChoice")
def one_of_them(transform, chain):
    choice = {"count": 1}
    if transform.p is not None and len(set(transform.p)) > 1:
        choice["weights"] = [float(each) for each in transform.p]
    return chain.among(transform.transforms, choice)


def on_bytes(chain, what):
    on_pixels(chain, what)
    if chain.unit:
        raise Theirs("the node acts on bytes, and %s on floats" % what)


def by_pillow(chain):
    """The nodes have torchvision's values for tensors, which it rounds in another way for Pillow's pictures."""
    return "torchvision rounds Pillow's pictures in another way than tensors, and the node as tensors" if (
        chain.form == "pil") else ""


def policy(kind, transform, chain, **parameters):
    on_bytes(chain, type(transform).__name__)
    return Became((kind, dict(parameters, fill=fill_of(transform, chain), **filter_of(transform, chain, "bilinear"))),
                  note=by_pillow(chain))


@step("torchvision.RandAugment")
def rand_augment(transform, chain):
    return policy("rand_augment", transform, chain, num_ops=transform.num_ops, magnitude=transform.magnitude,
                  num_magnitude_bins=transform.num_magnitude_bins)


@step("torchvision.TrivialAugmentWide")
def trivial_augment(transform, chain):
    return policy("trivial_augment", transform, chain, num_magnitude_bins=transform.num_magnitude_bins)


@step("torchvision.AutoAugment")
def auto_augment(transform, chain):
    return policy("auto_augment", transform, chain, policy=transform.policy.value)


@step("torchvision.AugMix")
def aug_mix(transform, chain):
    return policy("aug_mix", transform, chain, severity=transform.severity, mixture_width=transform.mixture_width,
                  chain_depth=max(0, transform.chain_depth), alpha=transform.alpha, all_ops=transform.all_ops)


@step("torchvision.RandomPosterize")
def posterize(transform, chain):
    on_bytes(chain, "RandomPosterize")
    return Became(("posterize", {"bits": transform.bits, "probability": transform.p}))


@step("torchvision.RandomSolarize")
def solarize(transform, chain):
    on_bytes(chain, "RandomSolarize")
    return Became(("solarize", {"threshold": transform.threshold, "probability": transform.p}))


@step("torchvision.RandomInvert")
def invert(transform, chain):
    on_bytes(chain, "RandomInvert")
    return Became(("invert", {"probability": transform.p}))


@step("torchvision.RandomAutocontrast")
def autocontrast(transform, chain):
    on_bytes(chain, "RandomAutocontrast")
    return Became(("autocontrast", {"probability": transform.p}), note=by_pillow(chain))


@step("torchvision.RandomEqualize")
def equalize(transform, chain):
    on_bytes(chain, "RandomEqualize")
    return Became(("equalize", {"probability": transform.p}), note=by_pillow(chain))


@step("torchvision.RandomAdjustSharpness")
def sharpness(transform, chain):
    on_bytes(chain, "RandomAdjustSharpness")
    return Became(("sharpness", {"factor": transform.sharpness_factor, "probability": transform.p}),
                  note=by_pillow(chain))


@step("torchvision.RandomPerspective")
def perspective(transform, chain):
    on_bytes(chain, "RandomPerspective")
    return Became(("perspective", dict(distortion=transform.distortion_scale, probability=transform.p,
                                       fill=fill_of(transform, chain), **filter_of(transform, chain, "bilinear"))),
                  note=by_pillow(chain))


@step("torchvision.RandomRotation")
def rotation(transform, chain):
    if transform.expand or transform.center is not None:
        raise Theirs("no node has `expand` or `center`")
    return Became(("affine", dict(rotation=symmetric(transform.degrees, 0.0, "degrees"),
                                  fill=fill_of(transform, chain),
                                  **filter_of(transform, chain, "bilinear"))))


@step("torchvision.RandomAffine")
def affine(transform, chain):
    if transform.center is not None:
        raise Theirs("no node has `center`")
    shear = list(transform.shear or [0.0, 0.0])
    if len(shear) == 4 and shear[2:] != [0.0, 0.0]:
        raise Theirs("the `affine` node shears along x only")
    shift = transform.translate or (0.0, 0.0)
    zoom = transform.scale or (1.0, 1.0)
    return Became(("affine", dict(
        rotation=symmetric(transform.degrees, 0.0, "degrees"), shift_x=shift[0], shift_y=shift[1],
        shear=symmetric(shear[:2], 0.0, "shear"), zoom_min=zoom[0], zoom_max=zoom[1],
        fill=fill_of(transform, chain), **filter_of(transform, chain, "bilinear"))))


@step("torchvision.RandomErasing")
def erase(transform, chain):
    value = transform.value
    node = {"probability": transform.p, "scale_min": transform.scale[0], "scale_max": transform.scale[1],
            "ratio_min": transform.ratio[0], "ratio_max": transform.ratio[1]}
    kinds = [each["kind"] for each in chain.translation.nodes]
    if "normalise" in kinds and "python" in kinds[kinds.index("normalise"):]:
        raise Theirs("the node acts on bytes, and a step of yours has changed the values before it")
    normalise = next((each for each in chain.translation.nodes if each["kind"] == "normalise"), None)
    if value == "random" or value is None:
        node["fill"] = "noise"
        note = "the noise is uniform and in bytes, before Normalize, and not normal"
    else:
        given = numbers(value)
        mean, deviation = (normalise["params"]["mean"], normalise["params"]["deviation"]) if normalise else (
            [0.0], [1.0])
        count = max(len(given), len(mean))
        given, mean, deviation = ([each[i % len(each)] for i in range(count)]
                                  for each in (given, mean, deviation))
        node.update(fill="colour", value=[min(255.0, max(0.0, 255 * (g * d + m)))
                                          for g, m, d in zip(given, mean, deviation)])
        note = "the rectangle's colour is rounded to bytes, because it comes before Normalize"
    return Became(("erase", node), note=note, before="normalise")


@step("torchvision.ToTensor", "torchvision.ConvertImageDtype", "timm.MaybeToTensor")
def to_tensor(transform, chain):
    dtype = str(getattr(transform, "dtype", "torch.float32"))
    if dtype != "torch.float32":
        raise Theirs("it converts to %s" % dtype)
    chain.becomes("torch")
    chain.unit = True
    return Became()


@step("torchvision.ToDtype")
def to_dtype(transform, chain):
    if str(transform.dtype) == "torch.float32" and transform.scale:
        chain.unit = True
        return Became()
    if str(transform.dtype) == "torch.uint8" and not chain.unit:
        return Became()
    raise Theirs("it converts to %s%s" % (transform.dtype, "" if transform.scale else " without scaling"))


@step("torchvision.ToImage", "torchvision.PILToTensor")
def to_image(transform, chain):
    chain.becomes("torch")
    return Became()


@step("torchvision.RGB", "torchvision.ToPureTensor", "torchvision.Identity", "torch.Identity")
def nothing(transform, chain):
    return Became()


@step("torchvision.Normalize")
def normalise(transform, chain):
    if not chain.unit or chain.normalised:
        raise Theirs("the values before it are not from 0 to 1")
    chain.normalised = True
    return Became(("normalise", {"mean": numbers(list(transform.mean)), "deviation": numbers(list(transform.std))}))


def has_image_ending(name):
    from torchvision.datasets.folder import is_image_file
    return is_image_file(name)


def is_plain(dataset, rows):
    """Whether the samples are all pictures of the folder, in the order of its files: no file is in a deeper
    folder or hidden, and the list was not changed after it was made."""
    def found(name):
        parts = os.path.relpath(name, dataset.root).split(os.sep)
        return len(parts) == 2 and not any(part.startswith(".") for part in parts) and parts[0]
    if not all(found(name) == dataset.classes[label] for name, label in rows):
        return False
    names = [name for name, _ in rows]
    there = sum(1 for _, _, files in os.walk(dataset.root, followlinks=True) for name in files if has_image_ending(name))
    return names == sorted(set(names)) and there == len(names)


@source("torchvision.ImageFolder")
def image_folder(dataset, path, translation):
    from torchvision.datasets.folder import default_loader, pil_loader
    if dataset.loader not in (default_loader, pil_loader):
        raise Theirs("its loader is %s" % getattr(dataset.loader, "__name__", "another object"))
    rows = [(name, int(label)) for name, label in dataset.samples]
    return Files(dataset, ["image", "label"], rows, lambda path, _: pil_loader(path),
                 classes=list(dataset.classes), folder=str(dataset.root) if is_plain(dataset, rows) else None,
                 steps=[(["image"], path + ".transform", "pil", False),
                        (["label"], path + ".target_transform", "numpy", False)])
