# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Too little of the machine, and too much asked of it."""

import resource
import struct
import zlib

from lab import OTHER_USER, SANITIZED, Skip, attack, only_root

MIB = 1024 * 1024
COMMANDS = (["inspect", "photos"], ["runs", "list"], ["nodes"], ["check", "classification", "--data", "photos"],
            ["convert", "photos", "t.tar", "--force"], ["preview", "classification", "--data", "photos"],
            ["sample-data", "new", "--count", "4"])  # `doctor` not: cuDNN aborts when it lacks memory.


@attack("little address space")
def addresses(lab):
    if SANITIZED:
        raise Skip("a sanitizer needs terabytes of addresses")
    lab.photos()
    sizes = range(20, 700, 10) if lab.long else (60, 90, 120, 400)
    for size in sizes:
        limits = [(resource.RLIMIT_AS, size * MIB)]
        if lab.run("--version", limits=limits, codes=(0, 1, 127), silent=True).code:
            continue  # Even the libraries do not load.
        for command in COMMANDS:
            lab.run(*command, limits=limits, codes=(0, 1, 2))
        lab.measure(limits=limits, codes=(0, 1, 2))
        lab.measure("--set", "workers.count=16", "--set", "batch.size=512", limits=limits, codes=(0, 1, 2))


@attack("few files and few threads")
def handles(lab):
    lab.photos()
    for count in (3, 4, 5, 6, 8, 12, 16, 24) if lab.long else (4, 6, 9):
        limits = [(resource.RLIMIT_NOFILE, count)]
        if lab.run("--version", limits=limits, codes=(0, 1, 127), silent=True).code:
            continue
        for command in COMMANDS:
            lab.run(*command, limits=limits, codes=(0, 1, 2))
        lab.measure(limits=limits, codes=(0, 1, 2))
    if SANITIZED:
        return
    only_root()
    for count in (0, 1, 2, 4):  # No other program of this user runs.
        limits = [(resource.RLIMIT_NPROC, count)]
        lab.measure("--set", "workers.count=8", "--no-store", limits=limits, user=OTHER_USER, codes=(0, 1))


@attack("a small stack")
def stack(lab):
    if SANITIZED:
        raise Skip("a sanitizer's frames are larger")
    lab.photos()
    limits = [(resource.RLIMIT_STACK, 256 * 1024)]
    for command in COMMANDS:
        lab.run(*command, limits=limits, codes=(0, 1, 2))
    lab.measure(limits=limits, codes=(0, 1, 2))


@attack("enormous numbers for every parameter that has a size")
def numbers(lab):
    lab.photos()
    for setting in lab.some(("workers.count=10000", "workers.count=1000000000", "batch.size=1000000000",
                    "batch.size=9223372036854775807", "prefetch.batches=1000000000", "shuffle.window=9223372036854775807",
                    "random_resized_crop.width=100000", "random_resized_crop.width=2147483647",
                    "image_folder.read_ahead=1000000000", "normalise.deviation=0", "normalise.deviation=1e-300",
                    "batch.pad_height=1000000", "random_resized_crop.scale_max=1e308", "image_folder.read_ahead=4096"), 7):
        lab.measure("--set", setting, "--no-store")
        lab.run("check", "classification", "--data", "photos", "--set", setting)
    for flags in (["--set", "workers.count=10000", "--set", "batch.size=100000"],
                  ["--set", "prefetch.batches=1000", "--set", "batch.size=10000"]):
        lab.measure(*flags, "--no-store")


@attack("enormous numbers for every flag")
def flags(lab):
    lab.photos()
    for flag in ("--repeats", "--batches", "--epochs", "--seconds", "--warmup", "--dump-batches", "--ranks", "--seed",
                 "--start", "--max-failures", "--step"):
        for value in lab.some(("-1", "0", "1e999", "nan", "inf", "99999999999999999999999", "", "x", "1.5", "0x10", "9:9:9", "-0",
                      "9223372036854775807:9223372036854775807", "1" * 5000), 3):
            if flag in ("--repeats", "--batches", "--epochs", "--seconds", "--warmup") and value == "1.5":
                continue
            lab.run("run", "classification", "--data", "photos", "--no-store", "--warmup", "0", *(
                ["--batches", "1", "--repeats", "1"] if flag not in ("--batches", "--epochs", "--seconds", "--repeats")
                else []), f"{flag}={value}", codes=(0, 1, 2))
    for command in (["sample-data", "n", "--count", "99999999999999999999"], ["sample-data", "n", "--count", "-1"],
                    ["preview", "classification", "--data", "photos", "--count", "99999"],
                    ["preview", "classification", "--data", "photos", "--first", "18446744073709551615"],
                    ["runs", "list", "--limit", "-5"], ["inspect", "photos", "--samples", "99999999999999999999"],
                    ["convert", "photos", "x", "--to", "tfrecord", "--shard-size", "1"],
                    ["convert", "photos", "y.tar", "--workers", "10000"],
                    ["convert", "photos", "z.tar", "--resize", "100000"]):
        lab.run(*command)


def png_head(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b""))


def bmp_head(width, height):
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 2000, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(2000)


def jpeg_head(whole, width, height):
    at = max(whole.find(b"\xff\xc0"), whole.find(b"\xff\xc2"))
    return whole[:at + 5] + struct.pack(">HH", height, width) + whole[at + 9:]


def tiff_head(width, height):
    entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 200), (277, 3, 1),
               (278, 4, height), (279, 4, 1000)]
    body = struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", t, k, 1, v) for t, k, v in entries)
    return (b"II*\0" + struct.pack("<I", 8) + body + bytes(4)).ljust(200, b"\0") + bytes(1000)


@attack("pictures whose heads claim 60 000 x 60 000")
def pictures(lab):
    whole = next(lab.photos().rglob("*.jpg")).read_bytes()
    for name, data in lab.some((("a.png", png_head(60_000, 60_000)), ("a.bmp", bmp_head(60_000, 60_000)),
                       ("a.jpg", jpeg_head(whole, 60_000, 60_000)), ("a.tif", tiff_head(60_000, 60_000)),
                       ("b.png", png_head(2**31 - 1, 2**31 - 1)), ("b.bmp", bmp_head(2**31 - 1, -2**31)),
                       ("b.jpg", jpeg_head(whole, 65_535, 65_535)), ("b.tif", tiff_head(2**32 - 1, 2**32 - 1)),
                       ("c.png", png_head(0, 0)), ("c.jpg", jpeg_head(whole, 0, 0)), ("c.tif", tiff_head(0, 0)),
                       ("d.png", png_head(60_000, 1)), ("d.jpg", jpeg_head(whole, 1, 65_535))), 4):
        place = lab.inside / name.replace(".", "_") / "one"
        place.mkdir(parents=True)
        (place / name).write_bytes(data)
        (place / "good.jpg").write_bytes(whole)
        folder = str(place.parent)
        lab.run("inspect", folder, codes=(0, 1))
        lab.run("run", "classification", "--data", folder, "--epochs", "1", "--warmup", "0", "--repeats", "1", "--no-store",
                "--max-failures", "100%", codes=(0, 1))
        lab.run("preview", "classification", "--data", folder, codes=(0, 1))
        lab.run("convert", folder, folder + ".tar", "--max-failures", "100%", codes=(0, 1))
        lab.run("convert", folder, folder + "_s.tar", "--max-failures", "100%", "--resize", "32x32", codes=(0, 1))


def npy(shape, kind="<f4"):
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(4096)


@attack("containers whose heads claim more than they have")
def containers(lab):
    for number, shape in enumerate(("(1000000000000, 60000, 60000)", "(9223372036854775807,)", "(4, 9223372036854775807)",
                                    "(2,)", "()", "(0,)", "(0, 60000, 60000)", "(-1, 4)", "(1024, 0)")):
        (lab.inside / f"{number}.npy").write_bytes(npy(shape))
        look(lab, f"{number}.npy")
    lengths = struct.pack("<Q", 2**62), struct.pack("<Q", 10**12), struct.pack("<Q", 0)
    for number, length in enumerate(lengths):
        (lab.inside / f"{number}.tfrecord").write_bytes(length + bytes(4) + bytes(200))
        look(lab, f"{number}.tfrecord")
    for number, size in enumerate((b"77777777777\0", b"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", b"-1         \0")):
        head = bytearray(512)
        head[0:5], head[124:136], head[156:157], head[257:263] = b"a.jpg", size, b"0", b"ustar\0"
        head[148:156] = b" " * 8
        head[148:156] = b"%06o\0 " % sum(head)
        (lab.inside / f"{number}.tar").write_bytes(bytes(head) + bytes(1024))
        look(lab, f"{number}.tar")
    (lab.inside / "a.rec").write_bytes(struct.pack("<II", 0xced7230a, 0x1FFFFFFF) + bytes(100))
    look(lab, "a.rec")


def look(lab, path):
    lab.run("inspect", path, "-o", "mine.json", "--force")
    lab.run("convert", path, path + ".out", "--to", "mds", "--lossy")
    if (lab.inside / "mine.json").exists():
        lab.run("run", "mine.json", "--batches", "1", "--warmup", "0", "--repeats", "1", "--no-store")
        (lab.inside / "mine.json").unlink()
