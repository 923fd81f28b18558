// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/dtype.h"
#include "core/data/image_view.h"

namespace millrace {

/// mixup and cutmix of a field on a device: dense rows, each with the row before it, the first with
/// the last. `from` and `to` are device memory and do not overlap: a row's partner is read as it
/// came. Every element is that of mix and copyBox (mix.h).
struct DeviceMix {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t elements = 0;  ///< of a row
  std::int32_t rows = 0;
  DType dtype = DType::F32;  ///< u8, f16, bf16, f32 or f64
};

/// Rows as they are.
Status launchCopyRows(Stream& stream, const DeviceMix& mix);
/// share * row + (1 - share) * the row before.
Status launchMixRows(Stream& stream, const DeviceMix& mix, double share);
/// The row, and in `box` the row before: pictures of `size` with `channels`, in planes or not.
Status launchMixBoxes(Stream& stream, const DeviceMix& mix, Rect box, Size size, int channels,
                      bool planar);

}  // namespace millrace
