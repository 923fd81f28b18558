// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/kernels/pass/pixel_pass.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// How a Window is translated for the pixel passes of CPU and device.

/// A picture field of one sample.
struct WindowField {
  std::string_view name;
  Size size;
  int ratio = 1;        ///< its pixels per pixel of the coarsest field
  bool turned = false;  ///< width and height are exchanged, as its EXIF orientation says
};

/// The window before any step, in pixels of the coarsest field; sets each field's ratio.
/// `reference`: the field in whose pixels parameters are measured, and the boxes. An error if the
/// ratios are not whole.
Result<Window> startWindow(std::span<WindowField> fields, std::size_t reference,
                           std::span<const Box> boxes = {});

inline Size times(Size size, int k) { return {size.width * k, size.height * k}; }
inline Rect times(Rect r, int k) { return {r.x * k, r.y * k, r.width * k, r.height * k}; }
Box boxOf(Rect rect);

/// Rejects results that a large ratio of a pair makes absurdly large, before memory is allocated.
Status checkResultSize(const Window& window, int ratio);

/// Resize and cut of a field, not mirrored; `region` is the window's source in the available
/// pixels. Masks use nearest.
PixelPassSpec windowSpec(const Window& window, int ratio, Role role, const Box& region);

}  // namespace millrace
