// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/pixel_table.h"

#include <bit>
#include <cstring>

#include "core/kernels/half.h"

namespace millrace {

namespace {

template <class T>
void lookUp(const std::array<std::array<T, 256>, 4>& tables, const std::uint8_t* row, int pixels,
            int channels, std::byte* out) {
  const std::size_t count = static_cast<std::size_t>(channels);
  for (std::size_t c = 0; c < count; ++c) {
    const T* table = tables[c].data();
    for (std::size_t i = c; i < static_cast<std::size_t>(pixels) * count; i += count)
      std::memcpy(out + i * sizeof(T), table + row[i], sizeof(T));
  }
}

template <class T>
void lookUpOne(const std::array<T, 256>& table, const std::uint8_t* row, int pixels,
               std::byte* out) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(pixels); ++i)
    std::memcpy(out + i * sizeof(T), table.data() + row[i], sizeof(T));
}

}  // namespace

void PixelTable::compute(const OutputForm& form, int channels) {
  if (form == m_form && channels == m_channels) return;
  m_form = form;
  m_channels = channels;
  m_exact = true;
  m_uniform = true;
  for (int c = 0; c < channels; ++c) {
    computeChannel(c);
    m_exact = m_exact && affine(c).exact;
    m_uniform = m_uniform && affine(c) == affine(0);
  }
}

void PixelTable::computeChannel(int channel) {
  const std::size_t c = index(channel);
  ExactAffine& affine = m_affine[c];
  affine = {};
  if (m_form.normalise) {
    const float high = 1.0F / m_form.deviation[c];
    const auto low = static_cast<float>(1.0 / m_form.deviation[c] - high);
    affine = {true, false, m_form.mean[c], m_form.deviation[c], high, low};
  }
  affine.exact = true;
  for (int v = 0; v < 256; ++v) {
    float value = unitOf(static_cast<std::uint8_t>(v));
    if (m_form.normalise) value = normalised(value, m_form.mean[c], m_form.deviation[c]);
    const auto at = static_cast<std::size_t>(v);
    m_float[c][at] = value;
    m_half[c][at] = m_form.dtype == DType::BF16 ? bf16FromF32(value) : f16FromF32(value);
    const float fast =
        byAffine(static_cast<float>(v), affine.normalise, affine.mean, affine.high, affine.low);
    if (std::bit_cast<std::uint32_t>(value) != std::bit_cast<std::uint32_t>(fast))
      affine.exact = false;
  }
}

void PixelTable::lookUpInterleaved(const std::uint8_t* row, int pixels, std::byte* out) const {
  if (m_form.dtype == DType::F32)
    lookUp(m_float, row, pixels, m_channels, out);
  else
    lookUp(m_half, row, pixels, m_channels, out);
}

void PixelTable::lookUpPlane(const std::uint8_t* row, int pixels, int channel,
                             std::byte* out) const {
  if (m_form.dtype == DType::F32)
    lookUpOne(m_float[index(channel)], row, pixels, out);
  else
    lookUpOne(m_half[index(channel)], row, pixels, out);
}

}  // namespace millrace
