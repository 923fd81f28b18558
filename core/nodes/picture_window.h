// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/kernels/pixel_pass.h"
#include "core/spec/image_steps.h"

namespace millrace {

/// How a Window becomes what the pixel passes of both sides are told.

/// A picture field of one sample.
struct WindowField {
  std::string_view name;
  Size size;
  int ratio = 1;  ///< its pixels for one pixel of the coarsest field
};

/// The window in front of any step, on the grid of the coarsest field; sets each field's ratio.
/// `reference`: the field whose pixels parameters count. An error where no whole ratio fits.
Result<Window> startWindow(std::span<WindowField> fields, std::size_t reference);

inline Size times(Size size, int k) { return {size.width * k, size.height * k}; }
inline Rect times(Rect r, int k) { return {r.x * k, r.y * k, r.width * k, r.height * k}; }
Box boxOf(Rect rect);

/// Refuses results that a large ratio of a pair makes absurd, before memory is taken.
Status checkResultSize(const Window& window, int ratio);

/// Resize and cut of a field, not mirrored; `region` is where the window's source lies in the
/// pixels that there are. Masks take the nearest.
PixelPassSpec windowSpec(const Window& window, int ratio, Role role, const Box& region);

}  // namespace millrace
