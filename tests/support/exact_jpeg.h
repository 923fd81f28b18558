// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <jpeglib.h>

#include "core/data/image_view.h"
#include "tests/support/opened_jpeg.h"

namespace millrace::tests {

// The exact result of a crop of a JPEG file, resized, without any rounding: the coefficients that
// libjpeg-turbo reads are transformed in double precision at full size, each plane is resized
// separately with an antialiased triangle, and colours are converted.

struct ExactPlane {
  int width = 0;
  int height = 0;
  double across = 1;  ///< pixels of the picture for one sample
  double down = 1;
  std::vector<double> samples;
  double& at(int x, int y) { return samples[static_cast<std::size_t>(y * width + x)]; }
  double at(int x, int y) const { return samples[static_cast<std::size_t>(y * width + x)]; }
};

/// cos((2x + 1) u pi / 16) with its factor, by x and u.
inline const std::array<std::array<double, 8>, 8>& exactCosines() {
  static const auto kTable = [] {
    std::array<std::array<double, 8>, 8> table{};
    for (std::size_t x = 0; x < 8; ++x)
      for (std::size_t u = 0; u < 8; ++u)
        table[x][u] = (u == 0 ? std::numbers::sqrt2 / 4 : 0.5) *
                      std::cos(static_cast<double>((2 * x + 1) * u) * std::numbers::pi / 16);
    return table;
  }();
  return kTable;
}

inline void transformExactly(const JCOEF* block, const JQUANT_TBL& quant, ExactPlane& plane,
                             int left, int top) {
  const auto& cosine = exactCosines();
  std::array<std::array<double, 8>, 8> rows{};  // by v and x
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t x = 0; x < 8; ++x)
      for (std::size_t u = 0; u < 8; ++u)
        rows[v][x] += cosine[x][u] * block[v * 8 + u] * quant.quantval[v * 8 + u];
  for (int y = 0; y < 8 && top + y < plane.height; ++y)
    for (int x = 0; x < 8 && left + x < plane.width; ++x) {
      double sum = 128;
      for (std::size_t v = 0; v < 8; ++v)
        sum += cosine[static_cast<std::size_t>(y)][v] * rows[v][static_cast<std::size_t>(x)];
      plane.at(left + x, top + y) = std::clamp(sum, 0.0, 255.0);
    }
}

/// For a valid file of one or three components.
inline std::vector<ExactPlane> exactPlanes(std::span<const std::byte> file) {
  OpenedJpeg opened(file);
  jpeg_decompress_struct& decoder = opened.decoder;
  jvirt_barray_ptr* arrays = jpeg_read_coefficients(&decoder);
  std::vector<ExactPlane> planes;
  for (int c = 0; c < decoder.num_components; ++c) {
    const jpeg_component_info& component = decoder.comp_info[c];
    ExactPlane& plane = planes.emplace_back();
    plane.across = static_cast<double>(decoder.max_h_samp_factor) / component.h_samp_factor;
    plane.down = static_cast<double>(decoder.max_v_samp_factor) / component.v_samp_factor;
    plane.width = static_cast<int>(component.downsampled_width);
    plane.height = static_cast<int>(component.downsampled_height);
    plane.samples.resize(static_cast<std::size_t>(plane.width * plane.height));
    for (JDIMENSION row = 0; row < component.height_in_blocks; ++row) {
      JBLOCKARRAY blocks = decoder.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&decoder),
                                                           arrays[c], row, 1, FALSE);
      for (JDIMENSION column = 0; column < component.width_in_blocks; ++column)
        transformExactly(blocks[0][column], *component.quant_table, plane,
                         static_cast<int>(column) * 8, static_cast<int>(row) * 8);
    }
  }
  return planes;
}

/// Weights of samples [first, first + size) for each of `outputs` of the region.
struct ExactTaps {
  int first = 0;
  std::vector<double> weights;
};
inline std::vector<ExactTaps> exactTaps(double begin, double length, int samples, int outputs) {
  const double scale = length / outputs;
  const double support = std::max(1.0, scale);
  std::vector<ExactTaps> all;
  for (int i = 0; i < outputs; ++i) {
    const double centre = begin + (i + 0.5) * scale;
    // Like the engine's crop, it reads nothing outside the region.
    const int low = std::max(
        {0, static_cast<int>(std::floor(begin)), static_cast<int>(std::floor(centre - support))});
    const int high = std::min({samples, static_cast<int>(std::ceil(begin + length)),
                               static_cast<int>(std::ceil(centre + support)) + 1});
    ExactTaps taps;
    taps.first = low;
    double sum = 0;
    for (int x = low; x < high; ++x) {
      taps.weights.push_back(std::max(0.0, 1 - std::abs(x + 0.5 - centre) / support));
      sum += taps.weights.back();
    }
    for (double& weight : taps.weights) weight /= sum;
    all.push_back(std::move(taps));
  }
  return all;
}

/// `crop` in pixels of the picture.
inline std::vector<double> exactlyResized(const ExactPlane& plane, Rect crop, Size to) {
  const auto across =
      exactTaps(crop.x / plane.across, crop.width / plane.across, plane.width, to.width);
  const auto down =
      exactTaps(crop.y / plane.down, crop.height / plane.down, plane.height, to.height);
  std::vector<double> rows(static_cast<std::size_t>(plane.height * to.width));
  for (int y = down.front().first; y < plane.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const ExactTaps& taps = across[static_cast<std::size_t>(x)];
      double sum = 0;
      for (std::size_t k = 0; k < taps.weights.size(); ++k)
        sum += taps.weights[k] * plane.at(taps.first + static_cast<int>(k), y);
      rows[static_cast<std::size_t>(y * to.width + x)] = sum;
    }
  std::vector<double> out;
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const ExactTaps& taps = down[static_cast<std::size_t>(y)];
      double sum = 0;
      for (std::size_t k = 0; k < taps.weights.size(); ++k)
        sum += taps.weights[k] *
               rows[static_cast<std::size_t>((taps.first + static_cast<int>(k)) * to.width + x)];
      out.push_back(sum);
    }
  return out;
}

/// Packed RGB of the crop, 0 to 255, not rounded (ITU-T T.871).
inline std::vector<double> exactPixels(const std::vector<ExactPlane>& planes, Rect crop, Size to) {
  const std::vector<double> luma = exactlyResized(planes[0], crop, to);
  std::vector<double> blue(luma.size(), 128);
  std::vector<double> red(luma.size(), 128);
  if (planes.size() == 3) {
    blue = exactlyResized(planes[1], crop, to);
    red = exactlyResized(planes[2], crop, to);
  }
  std::vector<double> rgb;
  for (std::size_t i = 0; i < luma.size(); ++i) {
    const double cb = blue[i] - 128;
    const double cr = red[i] - 128;
    for (const double value : {luma[i] + 1.402 * cr, luma[i] - 0.344136286 * cb - 0.714136286 * cr,
                               luma[i] + 1.772 * cb})
      rgb.push_back(std::clamp(value, 0.0, 255.0));
  }
  return rgb;
}

}  // namespace millrace::tests
