// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pass/picture_fields.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// What all crops share.

/// Converts a crop's size from image pixels to pixels of the window.
Result<Size> cropSize(const Window& window, std::int64_t height, std::int64_t width);

/// Pads a window that is smaller than `size`, evenly on both sides (an odd pixel goes to the right
/// and the bottom, as in tf.image.resize_with_crop_or_pad).
void padToAtLeast(Window& window, Size size, const PadFill& fill);

/// The error "the picture is 100 x 80 pixels, smaller than the crop of 224 x 224", in image pixels.
Error tooSmall(const Window& window, std::int64_t height, std::int64_t width);

/// resizedStream(), plus an error if the stream's pictures are known to be too small.
StreamType croppedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, bool pads, InferContext& context);

}  // namespace millrace
