// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/dtype.h"
#include "core/data/image_view.h"

namespace millrace {

/// mixup and cutmix of one field on a device. Rows are dense; each is mixed with the previous row,
/// the first with the last. `from` and `to` are device memory and do not overlap, so a partner is
/// always read unchanged. The results are identical to those of mix() and copyBox() (mix.h).
struct DeviceMix {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t elements = 0;  ///< elements per row
  std::int32_t rows = 0;
  DType dtype = DType::F32;  ///< u8, f16, bf16, f32 or f64
};

/// Copies the rows unchanged.
Status launchCopyRows(Stream& stream, const DeviceMix& mix);
/// Computes share * row + (1 - share) * previous row.
Status launchMixRows(Stream& stream, const DeviceMix& mix, double share);
/// Copies the row, with the previous row inside `box`. For pictures of `size` with `channels`,
/// planar or interleaved.
Status launchMixBoxes(Stream& stream, const DeviceMix& mix, Rect box, Size size, int channels,
                      bool planar);

}  // namespace millrace
