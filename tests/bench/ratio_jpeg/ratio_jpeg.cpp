// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Our JPEG decoder against libjpeg-turbo, on the same files in the same process, in alternation:
//   ratio_jpeg FOLDER [BLOCKS] [avx2] [WIDTH]
// One thread, in CPU time. Prints how the files were decoded and the ratio of rates for: entropy
// decoding alone; whole pictures to RGB; and the training job: the region of a random resized crop,
// decoded and converted to 224 x 224 normalised float planes. Each crop is also measured with a
// side index: in the epoch that makes it, in the next one, and in a late one, when all crops have
// added to it; and the job with planes resized separately, to other pixels (plane_pass.h), against
// the same with the library. A ratio above 1 means that ours is faster. `avx2`: our code does not
// use AVX-512. WIDTH: the photos are first resized to that width and encoded at quality 90 and
// 4:2:0.
#include <ctime>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <hwy/highway.h>
#include <jpeglib.h>

#include "core/analysis/statistics.h"
#include "core/base/random.h"
#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/codecs/jpeg/entropy_decoder.h"
#include "core/kernels/pass/plane_pass.h"
#include "core/kernels/vector_level.h"
#include "tests/bench/photo_crops.h"

namespace millrace::bench {
namespace {

constexpr int kSide = 224;
using File = std::vector<std::byte>;

using Index = std::vector<std::byte>;

struct Photo {
  File bytes;
  Size size;
  std::vector<Rect> crops;
  std::vector<Index> afterCrop;  ///< the side index after each crop alone
  Index late;                    ///< the side index after all of them
};

/// The side index with which a decode begins.
enum class Epoch { None, First, Second, Late };

/// The last step of a crop: decoding, or normalised planes by either pass.
enum class Upto { Decoded, ResizedRgb, ResizedPlanes };

File encodedAt(Size size, const ImageView& image) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(size.width) *
                                   static_cast<std::size_t>(size.height) * 3);
  PixelPass pass;
  pass.run(image, wholeImage(image.size(), size), {}, reinterpret_cast<std::byte*>(pixels.data()));
  auto file =
      encodeJpeg({pixels.data(), size.width, size.height, 3, std::ptrdiff_t{size.width} * 3});
  if (!file) std::abort();
  return file.take();
}

/// The files of `folder` that our decoder accepts, each with a few crops.
std::vector<Photo> photosOf(const char* folder, int width) {
  std::vector<Photo> photos;
  std::map<std::string, int> routes;
  ImageDecoder decoder;
  Draw draw(DrawKey{1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    Photo photo;
    photo.bytes = fileBytes(entry.path());
    const auto info = decoder.open(photo.bytes);
    const auto image = info ? decoder.decode({}) : Result<DecodedImage>(info.error());
    if (!image) continue;
    ++routes[std::string(nameOf(image->route))];
    if (image->route != DecodeRoute::Own) continue;
    photo.size = info->size;
    if (width > 0) {
      photo.size = {width, width * info->size.height / info->size.width};
      photo.bytes = encodedAt(photo.size, image->pixels);
    }
    for (int i = 0; i < 8; ++i) photo.crops.push_back(randomCrop(photo.size, draw));
    photos.push_back(std::move(photo));
  }
  for (const auto& [route, count] : routes) fmt::print("{} files: {}\n", count, route);
  return photos;
}

void entropyOfOurs(const Photo& photo) {
  static jpeg::EntropyDecoder decoder;
  static jpeg::Head head;
  readHead(photo.bytes, head);
  decoder.setTables(head);
  decoder.begin(head, std::span(photo.bytes).subspan(head.scanStart));
  const auto across = [](int pixels, int factor) {
    return static_cast<std::size_t>((pixels + 8 * factor - 1) / (8 * factor));
  };
  if (!decoder.skip(across(head.width, head.maxHorizontal) * across(head.height, head.maxVertical)))
    std::abort();
}

void entropyOfTheLibrary(const Photo& photo) {
  jpeg_decompress_struct decoder{};
  jpeg_error_mgr errors{};
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(photo.bytes.data()),
               photo.bytes.size());
  jpeg_read_header(&decoder, TRUE);
  jpeg_read_coefficients(&decoder);
  jpeg_destroy_decompress(&decoder);
}

/// The training job, or only its decoding.
struct Job {
  ImageDecoder decoder;
  PixelPass pass;
  PlanePass planePass;
  OutputForm form{
      DType::F32, Layout::Chw, true, {0.485F, 0.456F, 0.406F, 0}, {0.229F, 0.224F, 0.225F, 1}};
  std::vector<float> out = std::vector<float>(std::size_t{3} * kSide * kSide);
  Index index;

  DecodedImage decode(const Photo& photo, Rect region, Size cover, bool own,
                      Index* sideIndex = nullptr, bool planes = false) {
    if (!decoder.open(photo.bytes)) std::abort();
    auto image = decoder.decode({.region = region,
                                 .cover = cover,
                                 .applyOrientation = false,
                                 .ownDecoder = own,
                                 .planes = planes,
                                 .sideIndex = sideIndex});
    if (!image) std::abort();
    return *image;
  }
  /// As in the decode node: a copy of the kept index, to which the decoder adds.
  Index* indexFor(const Photo& photo, std::size_t i, Epoch epoch) {
    if (epoch == Epoch::None) return nullptr;
    index.clear();
    if (epoch == Epoch::Second) index = photo.afterCrop[(i + 3) % photo.crops.size()];
    if (epoch == Epoch::Late) index = photo.late;
    return &index;
  }
  void crop(const Photo& photo, std::size_t i, bool own, Upto upto, Epoch epoch) {
    const bool planes = own && upto == Upto::ResizedPlanes;
    const DecodedImage image = decode(photo, photo.crops[i % photo.crops.size()], {kSide, kSide},
                                      own, indexFor(photo, i, epoch), planes);
    if (upto == Upto::Decoded) return;
    PixelPassSpec spec;
    spec.source = planes ? image.planes.plane[0].region : image.region;
    spec.resized = {kSide, kSide};
    spec.cut = {0, 0, kSide, kSide};
    spec.flipX = i % 2 == 0;
    auto* const to = reinterpret_cast<std::byte*>(out.data());
    if (planes)
      planePass.run(image.planes, spec, form, 3, to);
    else
      pass.run(image.pixels, spec, form, to);
  }
};

void makeIndices(Job& job, std::vector<Photo>& photos) {
  std::size_t bytes = 0;
  for (Photo& photo : photos) {
    for (const Rect crop : photo.crops) {
      job.decode(photo, crop, {kSide, kSide}, true, &photo.afterCrop.emplace_back());
      job.decode(photo, crop, {kSide, kSide}, true, &photo.late);
    }
    bytes += photo.late.size();
  }
  fmt::print("side index: {} bytes a photo\n", bytes / photos.size());
}

using Work = std::function<void(const Photo&, std::size_t turn)>;

/// CPU time of this thread, so that other work on the machine counts less.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double secondsOf(const std::vector<Photo>& photos, std::size_t turn, const Work& work) {
  const double begin = cpuSeconds();
  for (const Photo& photo : photos) work(photo, turn);
  return cpuSeconds() - begin;
}

void compare(const std::string& name, const std::vector<Photo>& photos, int blocks,
             const Work& ours, const Work& theirs) {
  std::vector<double> logs;
  double ourTime = 0;
  secondsOf(photos, 0, ours);
  secondsOf(photos, 0, theirs);
  for (int block = 0; block < blocks; ++block) {
    const auto turn = static_cast<std::size_t>(block);
    double first = 0;
    if (block % 2 == 0) first = secondsOf(photos, turn, ours);
    const double second = secondsOf(photos, turn, theirs);
    if (block % 2 == 1) first = secondsOf(photos, turn, ours);
    ourTime += first;
    logs.push_back(std::log(second / first));
  }
  const auto interval = meanInterval95(logs);
  fmt::print("{}: {:.3f} [{:.3f}, {:.3f}], ours {:.0f} photos/s, {} blocks\n", name,
             std::exp(mean(logs).value_or(NAN)), interval ? std::exp(interval->low) : NAN,
             interval ? std::exp(interval->high) : NAN,
             static_cast<double>(photos.size()) * blocks / ourTime, blocks);
  std::fflush(stdout);
}

int run(const char* folder, int blocks, int width) {
  std::vector<Photo> photos = photosOf(folder, width);
  if (photos.empty()) {
    fmt::print(stderr, "{}: no JPEG file that our decoder takes\n", folder);
    return 2;
  }
  fmt::print("vector level {}\n", vectorLevel());
  Job job;
  makeIndices(job, photos);
  compare(
      "entropy decoding", photos, blocks, [](const Photo& p, std::size_t) { entropyOfOurs(p); },
      [](const Photo& p, std::size_t) { entropyOfTheLibrary(p); });
  const auto whole = [&job](bool own) {
    return [&job, own](const Photo& p, std::size_t) { job.decode(p, {}, {}, own); };
  };
  compare("whole picture to RGB", photos, blocks, whole(true), whole(false));
  const auto crops = [&](const std::string& name, Upto upto) {
    const auto crop = [&job, upto](bool own, Epoch epoch) {
      return [&job, upto, own, epoch](const Photo& p, std::size_t turn) {
        job.crop(p, turn, own, upto, epoch);
      };
    };
    for (const auto& [suffix, epoch] : {std::pair{"", Epoch::None},
                                        {", indexed: first epoch", Epoch::First},
                                        {", indexed: second epoch", Epoch::Second},
                                        {", indexed: late epoch", Epoch::Late}})
      compare(name + suffix, photos, blocks, crop(true, epoch), crop(false, Epoch::None));
  };
  crops("random crop, decoding", Upto::Decoded);
  crops("random crop to 224 float planes", Upto::ResizedRgb);
  crops("random crop to 224 float planes, resized as planes", Upto::ResizedPlanes);
  return 0;
}

void forceAvx2() {
  hwy::SetSupportedTargetsForTest(HWY_AVX2 | HWY_SSE4 | HWY_STATIC_TARGET);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: ratio_jpeg FOLDER [BLOCKS] [avx2] [WIDTH]\n");
    return 2;
  }
  int width = 0;
  for (int i = 3; i < argc; ++i) {
    if (std::string_view(argv[i]) == "avx2")
      millrace::bench::forceAvx2();
    else
      width = std::atoi(argv[i]);
  }
  return millrace::bench::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 20, width);
}
