// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/host_device.h"
#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

/// How u8 becomes float; every implementation gives these bits.
MILLRACE_HOST_DEVICE inline float unitOf(std::uint8_t value) {
  return static_cast<float>(value) / 255.0F;
}
MILLRACE_HOST_DEVICE inline float normalised(float unit, float mean, float deviation) {
  return (unit - mean) / deviation;
}

/// ((v / 255) - mean) / deviation by multiplication. A quotient by a constant is fma(x, high, x *
/// low), where high + low is the reciprocal to 48 bits. Except in rare cases this is the correctly
/// rounded quotient; `exact` says whether it is for all 256 values.
struct ExactAffine {
  bool normalise = false;
  bool exact = false;
  float mean = 0;
  float deviation = 1;
  float high = 1;
  float low = 0;
  bool operator==(const ExactAffine&) const = default;

  static constexpr float kHigh255 = 1.0F / 255.0F;
  static constexpr float kLow255 = static_cast<float>(1.0 / 255.0 - kHigh255);
};

/// x * y + z, rounded once. The only fused multiply-add in the kernels: every implementation has
/// it.
MILLRACE_HOST_DEVICE inline float fusedMultiplyAdd(float x, float y, float z) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(x, y, z);
#else
  return std::fma(x, y, z);
#endif
}

/// Applies an exact affine function to a value from 0 to 255.
MILLRACE_HOST_DEVICE inline float byAffine(float value, bool normalise, float mean, float high,
                                           float low) {
  const float unit = fusedMultiplyAdd(value, ExactAffine::kHigh255, value * ExactAffine::kLow255);
  if (!normalise) return unit;
  const float centred = unit - mean;
  return fusedMultiplyAdd(centred, high, centred * low);
}

/// A prepared OutputForm: 256 results per channel. A value type for use by one thread.
class PixelTable {
 public:
  /// Does nothing if form and channels are the same as in the last call.
  void compute(const OutputForm& form, int channels);

  const ExactAffine& affine(int channel) const { return m_affine[index(channel)]; }
  /// Whether all channels have an exact affine function.
  bool exact() const { return m_exact; }
  /// Whether all channels have the same one.
  bool uniform() const { return m_uniform; }
  /// The float for value v of a channel, before it is rounded to 16 bits.
  float value(int channel, std::uint8_t v) const { return m_float[index(channel)][v]; }
  /// out[i * channels + c] = table[c][row[i * channels + c]], in the form's type.
  void lookUpInterleaved(const std::uint8_t* row, int pixels, std::byte* out) const;
  void lookUpPlane(const std::uint8_t* row, int pixels, int channel, std::byte* out) const;

 private:
  static std::size_t index(int channel) { return static_cast<std::size_t>(channel); }
  void computeChannel(int channel);

  OutputForm m_form;
  int m_channels = 0;
  bool m_exact = false;
  bool m_uniform = false;
  std::array<ExactAffine, 4> m_affine;
  std::array<std::array<float, 256>, 4> m_float;
  std::array<std::array<std::uint16_t, 256>, 4> m_half;
};

}  // namespace millrace
