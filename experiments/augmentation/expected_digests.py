#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Prints the rows of tests/core/kernels/torchvision_changes.h: torchvision's result of each
change of one drawn picture, as 64-bit FNV-1a of its bytes."""

import torch
from torchvision.transforms import v2
from torchvision.transforms.v2 import functional as F

WIDTH, HEIGHT = 61, 47
# Millrace's name, torchvision's, amounts of torchvision's magnitude.
CHANGES = [
    ("ShearX", "ShearX", (0.2, -0.3, 0.99)),
    ("ShearY", "ShearY", (0.1, -0.33)),
    ("TranslateX", "TranslateX", (17.9, -30.0)),
    ("TranslateY", "TranslateY", (9.0, -21.5)),
    ("Rotate", "Rotate", (11.0, -30.0, 90.0, 135.0)),
    ("Brightness", "Brightness", (0.37, -0.9)),
    ("Saturation", "Color", (0.37, -0.85)),
    ("Contrast", "Contrast", (0.37, -0.85)),
    ("Sharpness", "Sharpness", (0.9, -0.15, 0.45)),
    ("Posterize", "Posterize", (3.0, 7.0, 0.0)),
    ("Solarize", "Solarize", (0.0, 0.5, 0.71)),
    ("AutoContrast", "AutoContrast", (0.0,)),
    ("Equalize", "Equalize", (0.0,)),
    ("Invert", "Invert", (0.0,)),
    ("Gamma", None, (0.45, 1.7)),
]


def picture() -> torch.Tensor:
    """As in the test."""
    x, y, c = torch.meshgrid(
        torch.arange(WIDTH), torch.arange(HEIGHT), torch.arange(3), indexing="ij"
    )
    value = 20 + (x * 3 + y * 5 + c * 40 + (x * y) % 31 * 3) % 200
    return value.to(torch.uint8).permute(2, 1, 0).contiguous()


def digest(result: torch.Tensor) -> int:
    """Of the bytes, channels last."""
    value = 14695981039346656037
    for byte in result.permute(1, 2, 0).contiguous().numpy().tobytes():
        value = ((value ^ byte) * 1099511628211) % 2**64
    return value


def amount_of(name: str, magnitude: float) -> float:
    """What a PictureChange has for it."""
    if name in ("Brightness", "Saturation", "Contrast", "Sharpness"):
        return 1.0 + magnitude
    return 255.0 * magnitude if name == "Solarize" else magnitude


def main() -> None:
    """Print a row for each change, filter and fill."""
    torch.set_num_threads(1)
    source = picture()
    for ours, theirs, magnitudes in CHANGES:
        moves = ours.startswith(("Shear", "Translate", "Rotate"))
        for magnitude in magnitudes:
            for filter_, fill in (
                [("nearest", 0), ("nearest", 77), ("bilinear", 0), ("bilinear", 77)]
                if moves
                else [("nearest", 0)]
            ):
                policy = v2.RandAugment(
                    interpolation=filter_, fill=[float(fill)] * 3 if fill else None
                )
                result = (
                    F.adjust_gamma(source, magnitude)
                    if theirs is None
                    else policy._apply_image_or_video_transform(
                        source, theirs, magnitude, policy.interpolation, policy._fill
                    )
                )
                print(
                    f"{{ChangeKind::{ours}, {amount_of(ours, magnitude)!r}, "
                    f"{'true' if filter_ == 'nearest' else 'false'}, {fill}, "
                    f"0x{digest(result):016x}ULL}},"
                )


if __name__ == "__main__":
    main()
