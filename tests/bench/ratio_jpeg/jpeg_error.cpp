// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The error of decoding and resizing relative to the exact result:
//   jpeg_error FOLDER
// Random resized crops of each JPEG file to 224 x 224, eight for each file. Exact: tests/support/
// exact_jpeg.h, in double precision throughout. Compared with it: the decoder as the engine uses it
// (at 1/1, 1/2, 1/4 or 1/8, depending on the crop), full decoding, and both with planes resized
// separately. It also checks that our decoder and libjpeg-turbo give the same pixels. Prints a row
// for each scale: mean and maximum difference out of 255, and PSNR.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "core/codecs/codec.h"
#include "core/kernels/pass/plane_pass.h"
#include "tests/bench/photo_crops.h"
#include "tests/support/exact_jpeg.h"

namespace millrace::bench {
namespace {

constexpr int kSide = 224;
constexpr int kCrops = 8;

using Levels = std::vector<float>;  ///< packed RGB, 0 to 255

struct Difference {
  std::size_t crops = 0;
  std::size_t values = 0;
  double sum = 0;
  double squares = 0;
  double most = 0;

  void add(const std::vector<double>& exact, const Levels& found) {
    ++crops;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double off = std::abs(exact[i] - static_cast<double>(found[i]));
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

/// The crops that the engine decodes at one scale.
struct AtScale {
  Difference scaled;
  Difference full;
  Difference scaledPlanes;  ///< f32, as a run without rounding gets it
  Difference scaledPlanesU8;
  Difference fullPlanes;

  void print(int scale) const {
    scaled.print(fmt::format("decoded at 1/{}", scale));
    scaledPlanes.print("  resized as planes, f32");
    scaledPlanesU8.print("  resized as planes, u8");
    if (scale == 1) return;
    full.print("  the same in full");
    fullPlanes.print("  the same in full, as planes, f32");
  }
};

enum class Way { Library, Own, Planes };

/// Makes the crop as the engine does; returns the scale used.
int engineCrop(ImageDecoder& decoder, Rect crop, Size cover, Way way, DType type, Levels& out) {
  static PixelPass pass;
  static PlanePass planePass;
  const auto image = decoder.decode({.region = crop,
                                     .cover = cover,
                                     .applyOrientation = false,
                                     .ownDecoder = way != Way::Library,
                                     .planes = way == Way::Planes});
  if (!image) std::abort();
  PixelPassSpec spec;
  spec.resized = {kSide, kSide};
  spec.cut = {0, 0, kSide, kSide};
  OutputForm form;
  form.dtype = type;
  const std::size_t values = std::size_t{kSide} * kSide * 3;
  std::vector<std::byte> bytes(values * sizeOf(type));
  spec.source = way == Way::Planes ? image->planes.plane[0].region : image->region;
  if (way == Way::Planes)
    planePass.run(image->planes, spec, form, 3, bytes.data());
  else
    pass.run(image->pixels, spec, form, bytes.data());
  out.resize(values);
  if (type == DType::F32) {
    std::memcpy(out.data(), bytes.data(), bytes.size());
    for (float& value : out) value *= 255.0F;
  } else {
    for (std::size_t i = 0; i < values; ++i) out[i] = static_cast<float>(bytes[i]);
  }
  return image->scale;
}

void addCrop(ImageDecoder& decoder, const std::vector<tests::ExactPlane>& planes, Rect crop,
             std::map<int, AtScale>& scales) {
  const Size cover{kSide, kSide};
  const std::vector<double> exact = tests::exactPixels(planes, crop, cover);
  Levels ours;
  Levels theirs;
  const int scale = engineCrop(decoder, crop, cover, Way::Own, DType::U8, ours);
  engineCrop(decoder, crop, cover, Way::Library, DType::U8, theirs);
  if (ours != theirs) std::abort();
  AtScale& at = scales[scale];
  at.scaled.add(exact, ours);
  const auto add = [&](Difference& to, Size size, Way way, DType type) {
    engineCrop(decoder, crop, size, way, type, ours);
    to.add(exact, ours);
  };
  add(at.full, {}, Way::Own, DType::U8);
  add(at.scaledPlanes, cover, Way::Planes, DType::F32);
  add(at.scaledPlanesU8, cover, Way::Planes, DType::U8);
  add(at.fullPlanes, {}, Way::Planes, DType::F32);
}

int run(const char* folder) {
  std::map<int, AtScale> scales;
  ImageDecoder decoder;
  Draw draw(DrawKey{1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::vector<std::byte> file = fileBytes(entry.path());
    const auto info = decoder.open(file);
    if (!info || info->route != DecodeRoute::Own) continue;
    const std::vector<tests::ExactPlane> planes = tests::exactPlanes(file);
    for (int i = 0; i < kCrops; ++i)
      addCrop(decoder, planes, randomCrop(info->storedSize, draw), scales);
  }
  for (const auto& [scale, at] : scales) at.print(scale);
  return scales.empty() ? 2 : 0;
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
