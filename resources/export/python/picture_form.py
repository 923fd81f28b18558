# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def picture_form(shape, dtype, content):
    """The layout of samples, "hwc", "chw" or "" if not pictures, and their shape."""
    if content == "features":
        return "", shape
    if len(shape) == 2:
        grey = dtype in ("uint8", "uint16") and min(shape) >= 8
        if grey or content == "image_grey":
            return "hwc", (*shape, 1)
    if len(shape) != 3:
        return "", shape
    if content in ("image_hwc", "image_chw"):
        return content[-3:], shape
    if shape[2] in (1, 3, 4):
        return "hwc", shape
    return "chw" if shape[0] in (1, 3, 4) else "", shape
