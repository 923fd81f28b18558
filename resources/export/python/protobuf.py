# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def messages(data):
    """Field number and value of each field of an encoded message.

    A value is a whole number, or the bytes of any other type.
    """
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind in (1, 2, 5):
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = varint(data, at)
            value = data[at : at + size]
            at += size
        if kind not in (0, 1, 2, 5) or at > len(data):
            raise ValueError("a damaged protobuf message")
        yield tag >> 3, value


def varint(data, at):
    """The number at this position, and the position after it."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("a damaged protobuf number")
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at
