// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Our PNG decoder against libspng and against bare decompression by ISA-L, on the same files in the
// same process, in alternation:
//   ratio_png FOLDER [BLOCKS] [own]
// One thread, in CPU time. Prints how the files were decoded and, for whole pictures and for random
// crops (of 192 x 192; 48 x 48 if a side is below 360), the ratio of our rate to that of libspng;
// and the shares of our time that bare decompression of the same bytes would take (the limit,
// without any checksum), and that our data stream takes, which verifies checksums. Files with one
// channel give indices, others RGB. `own` only runs our decoder, for a profiler.
#include <ctime>

#include <isa-l/igzip_lib.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/statistics.h"
#include "core/base/random.h"
#include "core/codecs/codec.h"
#include "core/codecs/png/data_stream.h"
#include "core/codecs/png/png_head.h"
#include "core/kernels/vector_level.h"

namespace millrace::bench {
namespace {

using File = std::vector<std::byte>;
constexpr std::size_t kStripBytes = std::size_t{1} << 18U;

struct Picture {
  File bytes;
  png::Head head;
  File packed;  ///< the concatenated IDAT chunks
  PixelForm form = PixelForm::Rgb;
  std::vector<Rect> crops;

  std::size_t rowBytes() const { return head.bytesOf(head.width) + 1; }
  /// The whole picture every time, or another crop each time.
  Rect region(bool crop, std::size_t turn) const {
    return crop ? crops[turn % crops.size()] : Rect{0, 0, head.width, head.height};
  }
};

File readAll(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

void prepare(Picture& picture, Draw& draw) {
  png::readHead(picture.bytes, picture.head);
  png::Chunk chunk;
  for (std::size_t at = picture.head.firstData;
       png::chunkAt(picture.bytes, at, chunk) && chunk.type == png::chunkType("IDAT");
       at = chunk.end + 4)
    picture.packed.insert(picture.packed.end(), chunk.data.begin(), chunk.data.end());
  picture.form = picture.head.channels() == 1 ? PixelForm::Index : PixelForm::Rgb;
  const Size size{picture.head.width, picture.head.height};
  const int shorter = std::min(size.width, size.height);
  const int side = std::min(shorter, shorter < 360 ? 48 : 192);
  for (int i = 0; i < 8; ++i)
    picture.crops.push_back({static_cast<int>(draw.integer(0, size.width - side)),
                             static_cast<int>(draw.integer(0, size.height - side)), side, side});
}

/// The files of `folder` that our decoder accepts.
std::vector<Picture> picturesOf(const char* folder) {
  std::vector<Picture> pictures;
  std::map<std::string, int> routes;
  ImageDecoder decoder;
  Draw draw(DrawKey{1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".png") continue;
    Picture picture;
    picture.bytes = readAll(entry.path());
    const auto info = decoder.open(picture.bytes);
    const auto image = info ? decoder.decode({}) : Result<DecodedImage>(info.error());
    if (!image) continue;
    ++routes[describe(image->route)];
    if (image->route != DecodeRoute::OwnPng) continue;
    prepare(picture, draw);
    pictures.push_back(std::move(picture));
  }
  for (const auto& [route, count] : routes) fmt::print("{} files: {}\n", count, route);
  return pictures;
}

using Work = std::function<void(const Picture&, std::size_t turn)>;

Work decoding(bool crop, bool own) {
  const auto decoder = std::make_shared<ImageDecoder>();
  return [decoder, crop, own](const Picture& picture, std::size_t turn) {
    if (!decoder->open(picture.bytes)) std::abort();
    const auto image = decoder->decode({.region = picture.region(crop, turn),
                                        .form = picture.form,
                                        .applyOrientation = false,
                                        .ownDecoder = own});
    if (!image || (image->route == DecodeRoute::OwnPng) != own) std::abort();
  };
}

/// Number of bytes down to the region's last row.
std::size_t neededBytes(const Picture& picture, bool crop, std::size_t turn) {
  const Rect region = picture.region(crop, turn);
  return static_cast<std::size_t>(region.y + region.height) * picture.rowBytes();
}

/// With one call of ISA-L, from contiguous compressed bytes.
Work bareUnpacking(bool crop) {
  const auto state = std::make_shared<inflate_state>();
  const auto out = std::make_shared<std::vector<unsigned char>>();
  return [=](const Picture& picture, std::size_t turn) {
    const std::size_t bytes = neededBytes(picture, crop, turn);
    if (out->size() < bytes) out->resize(bytes);
    isal_inflate_init(state.get());
    auto* packed = reinterpret_cast<const unsigned char*>(picture.packed.data());
    state->next_in = const_cast<unsigned char*>(packed) + 2;
    state->avail_in = static_cast<std::uint32_t>(picture.packed.size() - 2);
    state->next_out = out->data();
    state->avail_out = static_cast<std::uint32_t>(bytes);
    isal_inflate_stateless(state.get());
    if (state->avail_out != 0) std::abort();
  };
}

Work ourUnpacking(bool crop) {
  const auto stream = std::make_shared<png::DataStream>();
  const auto out = std::make_shared<std::vector<std::uint8_t>>(kStripBytes);
  return [=](const Picture& picture, std::size_t turn) {
    std::size_t left = neededBytes(picture, crop, turn);
    const bool toTheEnd =
        left == static_cast<std::size_t>(picture.head.height) * picture.rowBytes();
    if (!stream->begin(picture.bytes, picture.head.firstData, toTheEnd)) std::abort();
    while (left > 0) {
      const std::size_t bytes = std::min(left, kStripBytes);
      if (!stream->read(out->data(), bytes)) std::abort();
      left -= bytes;
    }
    if (toTheEnd && !stream->finish()) std::abort();
  };
}

/// CPU time of this thread, so that other work on the machine counts less.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double secondsOf(const std::vector<Picture>& pictures, std::size_t turn, const Work& work) {
  const double begin = cpuSeconds();
  for (const Picture& picture : pictures) work(picture, turn);
  return cpuSeconds() - begin;
}

std::string interval(const std::vector<double>& logs) {
  const auto span = meanInterval95(logs);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", std::exp(mean(logs).value_or(NAN)),
                     span ? std::exp(span->low) : NAN, span ? std::exp(span->high) : NAN);
}

void compare(const char* name, const std::vector<Picture>& pictures, int blocks, bool crop) {
  const Work works[] = {decoding(crop, true), decoding(crop, false), bareUnpacking(crop),
                        ourUnpacking(crop)};
  constexpr std::size_t kWorks = std::size(works);
  for (const Work& work : works) secondsOf(pictures, 0, work);
  double ourTime = 0;
  std::vector<double> logs[kWorks];
  for (int block = 0; block < blocks; ++block) {
    const auto turn = static_cast<std::size_t>(block);
    double seconds[kWorks] = {};
    // Forwards and backwards in alternation.
    for (std::size_t i = 0; i < kWorks; ++i) {
      const std::size_t w = block % 2 == 0 ? i : kWorks - 1 - i;
      seconds[w] = secondsOf(pictures, turn, works[w]);
    }
    ourTime += seconds[0];
    for (std::size_t w = 1; w < kWorks; ++w) logs[w].push_back(std::log(seconds[w] / seconds[0]));
  }
  fmt::print(
      "{}: {} times libspng; of our time bare unpacking {}, our stream {}; {:.0f} files/s, "
      "{} blocks\n",
      name, interval(logs[1]), interval(logs[2]), interval(logs[3]),
      static_cast<double>(pictures.size()) * blocks / ourTime, blocks);
  std::fflush(stdout);
}

/// Only our decoder, for `perf record`.
void decodeAlone(const std::vector<Picture>& pictures, int blocks) {
  for (const bool crop : {false, true}) {
    const Work work = decoding(crop, true);
    for (int block = 0; block < blocks; ++block)
      secondsOf(pictures, static_cast<std::size_t>(block), work);
  }
}

int run(const char* folder, int blocks, bool alone) {
  const std::vector<Picture> pictures = picturesOf(folder);
  if (pictures.empty()) {
    fmt::print(stderr, "{}: no PNG file that our decoder takes\n", folder);
    return 2;
  }
  if (alone) {
    decodeAlone(pictures, blocks);
    return 0;
  }
  fmt::print("vector level {}\n", vectorLevel());
  compare("whole picture", pictures, blocks, false);
  compare("random crop", pictures, blocks, true);
  return 0;
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: ratio_png FOLDER [BLOCKS] [own]\n");
    return 2;
  }
  const bool alone = argc > 3 && std::string_view(argv[3]) == "own";
  return millrace::bench::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 20, alone);
}
