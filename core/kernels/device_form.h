// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/kernels/pixel_pass.h"

namespace millrace {

/// Normalise, type and layout of pictures that are f32 already, for a whole batch on a device. The
/// bits are those of PixelPass on the same pictures, but for a NaN's, which are the processor's
/// own.
struct FloatFormRow {
  std::uint64_t source = 0;  ///< address of the first float
  std::uint64_t out = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
};

struct FloatFormPass {
  const FloatFormRow* rows = nullptr;  ///< on the device
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;
  std::int64_t mostElements = 0;  ///< of any row
  bool fromPlanar = false;
  bool toPlanar = false;
  OutputForm form;  ///< not to u8
};

Status launchFloatForm(Stream& stream, const FloatFormPass& pass);

}  // namespace millrace
