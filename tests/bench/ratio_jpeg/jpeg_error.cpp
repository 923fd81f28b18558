// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How far decoding and resizing is from the exact result:
//   jpeg_error FOLDER
// Random resized crops of each JPEG file to 224 x 224, eight a file. Exact: the coefficients that
// libjpeg-turbo reads, transformed in double precision at full size, each plane resized by itself
// with an antialiased triangle, colours converted, all without rounding in between. Against it the
// decoder as the engine uses it (at 1/1, 1/2, 1/4 or 1/8, by the crop), and the same decoded in
// full. Our decoder and libjpeg-turbo give the same pixels, which is looked at, too. Prints a row
// for each scale: mean and largest difference of 255, and PSNR.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <jpeglib.h>

#include "core/codecs/codec.h"
#include "core/kernels/pixel_pass.h"
#include "tests/bench/photo_crops.h"

namespace millrace::bench {
namespace {

constexpr int kSide = 224;
constexpr int kCrops = 8;

struct Plane {
  int width = 0;
  int height = 0;
  double across = 1;  ///< pixels of the picture for one sample
  double down = 1;
  std::vector<double> samples;
  double& at(int x, int y) { return samples[static_cast<std::size_t>(y * width + x)]; }
  double at(int x, int y) const { return samples[static_cast<std::size_t>(y * width + x)]; }
};

/// cos((2x + 1) u pi / 16) with its factor, by x and u.
const std::array<std::array<double, 8>, 8>& cosines() {
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

void transform(const JCOEF* block, const JQUANT_TBL& quant, Plane& plane, int left, int top) {
  const auto& cosine = cosines();
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

/// Of a sound file of one or three components.
std::vector<Plane> exactPlanes(const std::vector<std::byte>& file) {
  jpeg_decompress_struct decoder{};
  jpeg_error_mgr errors{};
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(file.data()), file.size());
  jpeg_read_header(&decoder, TRUE);
  jvirt_barray_ptr* arrays = jpeg_read_coefficients(&decoder);
  std::vector<Plane> planes;
  for (int c = 0; c < decoder.num_components; ++c) {
    const jpeg_component_info& component = decoder.comp_info[c];
    Plane& plane = planes.emplace_back();
    plane.across = static_cast<double>(decoder.max_h_samp_factor) / component.h_samp_factor;
    plane.down = static_cast<double>(decoder.max_v_samp_factor) / component.v_samp_factor;
    plane.width = static_cast<int>(component.downsampled_width);
    plane.height = static_cast<int>(component.downsampled_height);
    plane.samples.resize(static_cast<std::size_t>(plane.width * plane.height));
    for (JDIMENSION row = 0; row < component.height_in_blocks; ++row) {
      JBLOCKARRAY blocks = decoder.mem->access_virt_barray(reinterpret_cast<j_common_ptr>(&decoder),
                                                           arrays[c], row, 1, FALSE);
      for (JDIMENSION column = 0; column < component.width_in_blocks; ++column)
        transform(blocks[0][column], *component.quant_table, plane, static_cast<int>(column) * 8,
                  static_cast<int>(row) * 8);
    }
  }
  jpeg_destroy_decompress(&decoder);
  return planes;
}

/// Weights of samples [first, first + size) for each of the 224 outputs of a region.
struct Taps {
  int first = 0;
  std::vector<double> weights;
};
std::vector<Taps> tapsOf(double begin, double length, int samples) {
  const double scale = length / kSide;
  const double support = std::max(1.0, scale);
  std::vector<Taps> all;
  for (int i = 0; i < kSide; ++i) {
    const double centre = begin + (i + 0.5) * scale;
    // As the engine's crop does, nothing outside of the region is looked at.
    const int low = std::max(
        {0, static_cast<int>(std::floor(begin)), static_cast<int>(std::floor(centre - support))});
    const int high = std::min({samples, static_cast<int>(std::ceil(begin + length)),
                               static_cast<int>(std::ceil(centre + support)) + 1});
    Taps taps;
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

std::vector<double> resized(const Plane& plane, Rect crop) {
  const auto across = tapsOf(crop.x / plane.across, crop.width / plane.across, plane.width);
  const auto down = tapsOf(crop.y / plane.down, crop.height / plane.down, plane.height);
  std::vector<double> rows(static_cast<std::size_t>(plane.height) * kSide);
  for (int y = down.front().first; y < plane.height; ++y)
    for (int x = 0; x < kSide; ++x) {
      const Taps& taps = across[static_cast<std::size_t>(x)];
      double sum = 0;
      for (std::size_t k = 0; k < taps.weights.size(); ++k)
        sum += taps.weights[k] * plane.at(taps.first + static_cast<int>(k), y);
      rows[static_cast<std::size_t>(y * kSide + x)] = sum;
    }
  std::vector<double> out;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const Taps& taps = down[static_cast<std::size_t>(y)];
      double sum = 0;
      for (std::size_t k = 0; k < taps.weights.size(); ++k)
        sum += taps.weights[k] *
               rows[static_cast<std::size_t>((taps.first + static_cast<int>(k)) * kSide + x)];
      out.push_back(sum);
    }
  return out;
}

/// Packed RGB of the crop, not rounded (ITU-T T.871).
std::vector<double> exactPixels(const std::vector<Plane>& planes, Rect crop) {
  const std::vector<double> luma = resized(planes[0], crop);
  std::vector<double> blue(luma.size(), 128);
  std::vector<double> red(luma.size(), 128);
  if (planes.size() == 3) {
    blue = resized(planes[1], crop);
    red = resized(planes[2], crop);
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

struct Difference {
  std::size_t crops = 0;
  std::size_t values = 0;
  double sum = 0;
  double squares = 0;
  double most = 0;

  void add(const std::vector<double>& exact, const std::vector<std::uint8_t>& found) {
    ++crops;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double off = std::abs(exact[i] - found[i]);
      ++values;
      sum += off;
      squares += off * off;
      most = std::max(most, off);
    }
  }
  void print(const std::string& name) const {
    const auto count = static_cast<double>(values);
    fmt::print("{}: {} crops, mean {:.2f}, largest {:.0f}, PSNR {:.1f} dB\n", name, crops,
               sum / count, most, 10 * std::log10(255.0 * 255.0 * count / squares));
  }
};

/// The crop as the engine makes it; the scale that was taken.
int engineCrop(ImageDecoder& decoder, Rect crop, Size cover, bool own,
               std::vector<std::uint8_t>& out) {
  static PixelPass pass;
  const auto image = decoder.decode(
      {.region = crop, .cover = cover, .applyOrientation = false, .ownDecoder = own});
  if (!image) std::abort();
  PixelPassSpec spec;
  spec.source = image->region;
  spec.resized = {kSide, kSide};
  spec.cut = {0, 0, kSide, kSide};
  out.resize(std::size_t{kSide} * kSide * 3);
  pass.run(image->pixels, spec, {}, reinterpret_cast<std::byte*>(out.data()));
  return image->scale;
}

int run(const char* folder) {
  std::map<int, Difference> scaled;
  std::map<int, Difference> full;
  ImageDecoder decoder;
  Draw draw(DrawKey{1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::vector<std::byte> file = fileBytes(entry.path());
    const auto info = decoder.open(file);
    if (!info || info->route != DecodeRoute::Own) continue;
    const std::vector<Plane> planes = exactPlanes(file);
    for (int i = 0; i < kCrops; ++i) {
      const Rect crop = randomCrop(info->storedSize, draw);
      const std::vector<double> exact = exactPixels(planes, crop);
      std::vector<std::uint8_t> ours;
      std::vector<std::uint8_t> theirs;
      const int scale = engineCrop(decoder, crop, {kSide, kSide}, true, ours);
      engineCrop(decoder, crop, {kSide, kSide}, false, theirs);
      if (ours != theirs) std::abort();
      scaled[scale].add(exact, ours);
      engineCrop(decoder, crop, {}, true, ours);
      full[scale].add(exact, ours);
    }
  }
  for (const auto& [scale, difference] : scaled) {
    difference.print(fmt::format("decoded at 1/{}", scale));
    if (scale > 1) full[scale].print("  the same in full");
  }
  return scaled.empty() ? 2 : 0;
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: jpeg_error FOLDER\n");
    return 2;
  }
  return millrace::bench::run(argv[1]);
}
