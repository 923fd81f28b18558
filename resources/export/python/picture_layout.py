# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
def picture_layout(shape, content):
    """ "hwc" or "chw" if samples of this shape are pictures, otherwise ""."""
    if content == "features" or len(shape) != 3:
        return ""
    if content in ("image_hwc", "image_chw"):
        return content[-3:]
    if shape[2] in (1, 3, 4):
        return "hwc"
    return "chw" if shape[0] in (1, 3, 4) else ""
