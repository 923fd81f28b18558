// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nodes/picture_fields.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// What the crops share.

/// A crop's size on the window's grid, from image pixels.
Result<Size> cropSize(const Window& window, std::int64_t height, std::int64_t width);

/// Pads a window that is smaller than `size` to it, evenly on both sides (the odd pixel goes right
/// and below, as in tf.image.resize_with_crop_or_pad).
void padToAtLeast(Window& window, Size size, const PadFill& fill);

/// "the picture is 100 x 80 pixels, smaller than the crop of 224 x 224", in image pixels.
Error tooSmall(const Window& window, std::int64_t height, std::int64_t width);

/// resizedStream, and an error now where the stream's pictures are known to be smaller.
StreamType croppedStream(const StreamType& in, const TextList& named, std::int64_t height,
                         std::int64_t width, bool pads, InferContext& context);

}  // namespace millrace
