# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
from torchcodec.decoders import decode_image


def first_picture(file, mode):
    """Return the pixels of a file; of an animation, the first frame's."""
    pixels = decode_image(file, mode=mode)
    return pixels[0] if pixels.ndim == 4 else pixels
