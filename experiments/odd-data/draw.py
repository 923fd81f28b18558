# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Small files and folders for the cases: pictures, archives, records."""

import io
import os
import struct
import tarfile
from pathlib import Path

import numpy as np
from PIL import Image

APPLE_DOUBLE = bytes.fromhex("00051607") + bytes(60)


def picture(width=64, height=48, seed=0):
    """A picture with smooth colours, which differ with the seed."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [x * 4 + seed * 37, y * 5 + seed * 11, (x + y) * 2]
    return Image.fromarray(np.stack([plane % 256 for plane in planes], -1).astype(np.uint8))


def file_of(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def jpeg(image, **options):
    return file_of(image, "JPEG", quality=92, **options)


def png(image, **options):
    return file_of(image, "PNG", **options)


def photo(width=64, height=48, seed=0):
    return jpeg(picture(width, height, seed))


SMALL = photo(16, 12)


def halves(left, right, size=(64, 48)):
    """A mask with two values or colours, left and right."""
    pixels = np.zeros((size[1], size[0], *np.shape(left)), np.uint8)
    pixels[:, : size[0] // 2] = left
    pixels[:, size[0] // 2 :] = right
    return Image.fromarray(pixels)


class Folder:
    """The folder of a case."""

    def __init__(self, root):
        self.root = Path(root)
        self.root.mkdir(parents=True)

    def path(self, name):
        path = self.root / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def put(self, name, content=b"x\n"):
        self.path(name).write_bytes(content)

    def photos(self, *names, width=64, height=48):
        for seed, name in enumerate(names):
            self.put(name, photo(width, height, seed))

    def link(self, name, to):
        os.symlink(to, self.path(name))

    def tar(self, name, members, form=tarfile.GNU_FORMAT, owner=""):
        """Members are pairs of a name and bytes, or of a name and a link's type and target."""
        with tarfile.open(self.path(name), "w", format=form) as archive:
            for member, content in members:
                info = tarfile.TarInfo(member)
                info.uname = info.gname = owner
                if isinstance(content, tuple):
                    info.type, info.linkname = content
                    archive.addfile(info)
                else:
                    info.size = len(content)
                    archive.addfile(info, io.BytesIO(content))


def crc32c(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(content):
    """A checksum as TFRecord has it."""
    crc = crc32c(content)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(content):
    """A TFRecord."""
    length = struct.pack("<Q", len(content))
    return length + masked(length) + content + masked(content)


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def message(number, content):
    """A field of a protocol buffer that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def feature(values, packed=True):
    if isinstance(values, bytes):
        return message(1, message(1, values))
    if values and isinstance(values[0], float):
        return message(2, message(1, struct.pack(f"<{len(values)}f", *values)))
    if packed and values:
        return message(3, message(1, b"".join(map(varint, values))))
    return message(3, b"".join(b"\x08" + varint(value) for value in values))


def example(features, packed=True):
    """A tf.train.Example."""
    entries = b""
    for key, values in features.items():
        entries += message(1, message(1, key.encode()) + message(2, feature(values, packed)))
    return message(1, entries)
