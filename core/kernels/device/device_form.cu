// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_form.h"

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/kernels/half.h"
#include "core/kernels/pass/pixel_table.h"

namespace millrace {

namespace {

/// x: an element of the result, y: a batch row.
struct FormFloats {
  const FloatFormRow* rows;
  std::int32_t channels;
  bool fromPlanar;
  bool toPlanar;
  bool normalise;
  DType dtype;
  float mean[4];
  float deviation[4];

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const FloatFormRow& row = rows[y];
    const auto count = static_cast<std::uint32_t>(channels);
    const auto area =
        static_cast<std::uint32_t>(row.width) * static_cast<std::uint32_t>(row.height);
    if (x / count >= area) return;
    const std::uint32_t c = toPlanar ? x / area : x % count;
    const std::uint32_t pixel = toPlanar ? x % area : x / count;
    const std::uint32_t from = fromPlanar ? c * area + pixel : pixel * count + c;
    // On the CPU the sum of a single input starts with 0, which turns -0 into 0.
    float value = 0.0F + reinterpret_cast<const float*>(row.source)[from];
    if (normalise) value = normalised(value, mean[c], deviation[c]);
    if (dtype == DType::F32)
      reinterpret_cast<float*>(row.out)[x] = value;
    else
      reinterpret_cast<std::uint16_t*>(row.out)[x] =
          dtype == DType::BF16 ? bf16FromF32(value) : f16FromF32(value);
  }
};

}  // namespace

Status launchFloatForm(Stream& stream, const FloatFormPass& pass) {
  MILLRACE_CHECK(pass.form.dtype != DType::U8, "f32 pixels cannot be written as u8");
  MILLRACE_CHECK(pass.channels >= 1 && pass.channels <= 4, "needs 1 to 4 channels");
  MILLRACE_CHECK(pass.mostElements <= UINT32_MAX, "a picture must have fewer than 2^32 elements");
  FormFloats functor{pass.rows,
                     pass.channels,
                     pass.fromPlanar,
                     pass.toPlanar,
                     pass.form.normalise,
                     pass.form.dtype,
                     {},
                     {}};
  for (std::size_t c = 0; c < 4; ++c) {
    functor.mean[c] = pass.form.mean[c];
    functor.deviation[c] = pass.form.deviation[c];
  }
  return forEach(
      stream, "float form",
      {static_cast<std::uint32_t>(pass.mostElements), static_cast<std::uint32_t>(pass.rowCount), 1},
      functor);
}

}  // namespace millrace
