// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

/// Normalisation, type and layout for a whole batch of f32 pictures on a device. The results are
/// identical to those of PixelPass, except for the bits of a NaN, which depend on the processor.
struct FloatFormRow {
  std::uint64_t source = 0;  ///< address of the first float
  std::uint64_t out = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
};

struct FloatFormPass {
  const FloatFormRow* rows = nullptr;  ///< in device memory
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;
  std::int64_t mostElements = 0;  ///< of the largest row
  bool fromPlanar = false;
  bool toPlanar = false;
  OutputForm form;  ///< not to u8
};

Status launchFloatForm(Stream& stream, const FloatFormPass& pass);

}  // namespace millrace
