// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/host_device.h"
#include "core/kernels/pixel_pass.h"

namespace millrace {

/// The rule from u8 to float; every path gives these bits.
MILLRACE_HOST_DEVICE inline float unitOf(std::uint8_t value) {
  return static_cast<float>(value) / 255.0F;
}
MILLRACE_HOST_DEVICE inline float normalised(float unit, float mean, float deviation) {
  return (unit - mean) / deviation;
}

/// ((v / 255) - mean) / deviation by multiplication. A quotient by a constant is
/// fma(x, high, x * low) with high + low the reciprocal to 48 bits; that is the correctly rounded
/// quotient but for rare ties, so `exact` says whether it was for all 256 values.
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

/// x * y + z, rounded once. The one fused multiply-add that there is: every path has it.
MILLRACE_HOST_DEVICE inline float fusedMultiplyAdd(float x, float y, float z) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(x, y, z);
#else
  return std::fma(x, y, z);
#endif
}

/// What an exact affine makes of a value in 0 to 255.
MILLRACE_HOST_DEVICE inline float byAffine(float value, bool normalise, float mean, float high,
                                           float low) {
  const float unit = fusedMultiplyAdd(value, ExactAffine::kHigh255, value * ExactAffine::kLow255);
  if (!normalise) return unit;
  const float centred = unit - mean;
  return fusedMultiplyAdd(centred, high, centred * low);
}

/// An OutputForm made ready: 256 results a channel. Value; one thread.
class PixelTable {
 public:
  /// Does nothing when form and channels are those of the last call.
  void compute(const OutputForm& form, int channels);

  const ExactAffine& affine(int channel) const { return m_affine[index(channel)]; }
  /// All channels have an exact affine.
  bool exact() const { return m_exact; }
  /// All channels have the same.
  bool uniform() const { return m_uniform; }
  /// What value v of a channel becomes, before it is rounded to 16 bits.
  float value(int channel, std::uint8_t v) const { return m_float[index(channel)][v]; }
  /// out[i * channels + c] = table[c][row[i * channels + c]] in the form's type.
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
