# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: decode
from torchvision import tv_tensors
from torchcodec.decoders import ImageReadMode


class DecodeColourMasks:
    """Decodes files to masks of colours."""

    def __init__(self, fields, upright=True):
        self.fields, self.upright = fields, upright

    def __call__(self, sample):
        sample = dict(sample)
        for name in self.fields:
            pixels = decode_file(
                sample[name], ImageReadMode.RGB, self.upright
            )
            sample[name] = tv_tensors.Mask(pixels)
        return sample
