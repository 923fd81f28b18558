# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Twenty-four pipelines, each with one known limit (README.md).

The work is real: files are read, pictures are decoded and transformed. Only the time of a training
step and the slowness of storage (slow_storage.c) are artificial.
"""
import dataclasses
import random
import struct
import subprocess
import zlib


@dataclasses.dataclass
class Scenario:
    name: str
    nodes: list
    kinds: tuple  # what may be named; the first is what was planted
    node: str = ""  # where it sits; empty: any
    flags: tuple = ()
    storage: dict = dataclasses.field(default_factory=dict)  # latency_ms, mb_per_s, cached
    step: float = 0  # seconds of the loader's own time for a batch that the step takes
    close: bool = False  # two limits are near each other: "cannot tell" is right, too
    busy_processes: int = 0  # that run at the same time


PHOTOS = ("image_folder", {"paths": ["sample:imagenet"]})
SMALL = ("image_folder", {"paths": ["small"]})
MANY = ("image_folder", {"paths": ["many"]})
MASKS = ("paired_folders", {"input": "sample:camvid/images", "target": "sample:camvid/labels",
                            "pair": "mask"})
SYNTHETIC = ("synthetic", {"content": "image", "height": 96, "width": 96})
DECODE = ("decode", {})
DECODE_ALL = ("decode", {"scaling": "full"})
RESIZED = ("random_resized_crop", {"height": 64, "width": 64})
QUEUE = ("prefetch", {"batches": 2})
DRAIN = ("drain", {})
STEP = ("emulated_step", {"seconds": 0.05})


def workers(count):
    return ("workers", {"count": count})


def batch(size):
    return ("batch", {"size": size})


def blur(kernel, sigma):
    return ("blur", {"kernel": kernel, "sigma_min": sigma, "sigma_max": sigma})


def resize(size):
    return ("resize", {"height": size, "width": size})


END = (batch(16), QUEUE, DRAIN)
ALL_FAIL = ("--max-failures", "100%")
NO_CACHE = {"latency_ms": 4}

SCENARIOS = [
    Scenario("large photos, small crops", [PHOTOS, workers(2), DECODE_ALL, RESIZED, *END],
             ("decode",), "decode"),
    Scenario("large photos, made small", [PHOTOS, workers(2), DECODE_ALL, resize(64),
                                          ("flip", {}), *END], ("decode",), "decode"),
    Scenario("PNG pictures with masks", [MASKS, workers(2), DECODE, ("random_crop", {
        "height": 128, "width": 128}), *END], ("decode",), "decode"),
    Scenario("a wide blur", [SYNTHETIC, workers(2), ("flip", {}), blur(15, 3), *END],
             ("augmentation",), "blur"),
    Scenario("a narrow blur after decoding", [SMALL, workers(2), DECODE, resize(160), blur(9, 2),
                                              *END], ("augmentation",), "blur"),
    Scenario("turned pictures", [SMALL, workers(2), DECODE, resize(224), ("affine", {
        "rotation": 40}), *END], ("augmentation",)),
    Scenario("small files and nothing else", [SMALL, workers(2), *END], ("read",), "image_folder"),
    Scenario("storage that answers after 4 ms", [MANY, workers(2), DECODE, resize(64), *END],
             ("read",), "image_folder", storage=NO_CACHE),
    Scenario("storage of 3 MB a second", [MANY, workers(2), DECODE, resize(64), *END], ("read",),
             "image_folder", storage={"mb_per_s": 3}),
    Scenario("a cold disk, 8 ms a seek", [MANY, workers(2), DECODE, resize(64), *END],
             ("cold_storage",), "image_folder", ("--page-cache", "cold"),
             storage={"latency_ms": 8, "cached": 1}),
    Scenario("one worker that decodes", [PHOTOS, workers(1), DECODE, RESIZED, *END],
             ("workers_too_few",), "workers"),
    Scenario("one worker that blurs", [SYNTHETIC, workers(1), blur(9, 2), *END],
             ("workers_too_few",), "workers"),
    Scenario("one picture of 40 is huge", [("image_folder", {"paths": ["tail"]}), workers(2),
                                           DECODE_ALL, resize(64), batch(8),
                                           ("prefetch", {"batches": 2}), DRAIN],
             ("heavy_tail",), "workers"),
    Scenario("one picture of 160 is huge", [("image_folder", {"paths": ["thin_tail"]}),
                                            workers(2), DECODE_ALL, resize(64), batch(8),
                                            ("prefetch", {"batches": 2}), DRAIN],
             ("heavy_tail",), "workers"),
    Scenario("fast and slow batches, queue of one", [("image_folder", {"paths": ["bursts"]}),
                                                     workers(2), DECODE_ALL, resize(64), batch(8),
                                                     ("prefetch", {"batches": 1}), STEP],
             ("queue_too_short",), "prefetch", step=1.15),
    Scenario("samples of four bytes", [("synthetic", {"content": "features", "length": 4,
                                                      "classes": 0}), workers(2), batch(512),
                                       ("prefetch", {"batches": 8}), DRAIN],
             ("per_record",), "workers"),
    Scenario("decoded pictures from memory", [SMALL, workers(2), DECODE, resize(224),
                                              ("memory_cache", {}), batch(64), QUEUE, DRAIN],
             ("batching",)),
    Scenario("a slow step", [SYNTHETIC, workers(2), ("flip", {}), batch(16), QUEUE, STEP],
             ("step",), "emulated_step", step=20),
    Scenario("a step a third slower than the loader", [PHOTOS, workers(2), DECODE, RESIZED,
                                                       batch(16), ("prefetch", {"batches": 8}),
                                                       STEP], ("step",), "emulated_step", step=1.33),
    Scenario("a third of the files broken", [("image_folder", {"paths": ["broken"]}), workers(2),
                                             DECODE, RESIZED, *END], ("failures",), "image_folder",
             ALL_FAIL),
    Scenario("a busy process on each core", [PHOTOS, workers(2), DECODE, RESIZED, *END],
             ("other_process",), busy_processes=2),
    Scenario("nothing: the step is as fast as it can be", [
        SYNTHETIC, workers(2), blur(9, 2), batch(16), ("prefetch", {"batches": 8}), STEP],
        ("none", "step"), step=1.06),
    Scenario("decoding and blur about alike", [SMALL, workers(2), DECODE, resize(96), blur(9, 2),
                                               *END], ("decode", "augmentation"), close=True),
    Scenario("step and loader about alike", [PHOTOS, workers(2), DECODE, RESIZED, batch(16), QUEUE,
                                             STEP], ("step", "decode", "queue_too_short"), step=1,
             close=True),
]


def png(side, seed):
    """A grey PNG of noise, as bytes."""
    draw = random.Random(seed)
    rows = b"".join(b"\0" + draw.randbytes(side) for _ in range(side))

    def chunk(name, content):
        checked = name + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) +
            chunk(b"IEND", b""))


def write_pngs(folder, sides):
    """One picture a side, in the order of their names; few contents, many files."""
    contents = {}
    (folder / "all").mkdir(parents=True)
    for number, side in enumerate(sides):
        content = contents.setdefault((side, number % 4), png(side, number % 4))
        (folder / "all" / f"{number:05}.png").write_bytes(content)


def make_data(millrace, folder):
    """The folders that the scenarios name, below `folder`."""
    subprocess.run([millrace, "sample-data", str(folder / "broken"), "--count", "300"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pictures = sorted(p for p in (folder / "broken").rglob("*") if p.is_file())
    for picture in pictures[::3]:
        picture.write_bytes(picture.read_bytes()[:200])
    write_pngs(folder / "small", [96] * 300)
    write_pngs(folder / "many", [96] * 3000)
    write_pngs(folder / "tail", [1600 if i % 40 == 20 else 64 for i in range(640)])
    write_pngs(folder / "thin_tail", [1600 if i % 160 == 80 else 64 for i in range(640)])
    write_pngs(folder / "bursts", [400 if i // 24 % 2 else 64 for i in range(576)])
