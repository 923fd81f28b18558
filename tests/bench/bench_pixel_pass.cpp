// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The pixel pass to 224 x 224 f32 planes, normalised and flipped, from u8 RGB regions of 224 times
// the scale. For comparison: memcpy of as many bytes as one pass reads and writes. Bytes are those
// read from the region plus those written; items are output pixels.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

namespace {

constexpr int kSide = 224;
// Enough pictures that they do not all stay in the nearest caches, as decoded ones would not.
constexpr int kPictures = 8;

struct Work {
  explicit Work(double scale) : side(static_cast<int>(kSide * scale + 0.5)) {
    bytes.resize(pictureBytes() * kPictures);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 13U);
    out.resize(outputFloats * kPictures);
  }
  std::size_t pictureBytes() const { return static_cast<std::size_t>(side * side * 3); }
  ImageView view(int i) const {
    return {bytes.data() + pictureBytes() * static_cast<std::size_t>(i), side, side, 3, side * 3};
  }
  std::size_t bytesAPass() const { return pictureBytes() + outputFloats * sizeof(float); }

  static constexpr std::size_t outputFloats = 3 * kSide * kSide;
  int side;
  std::vector<std::uint8_t> bytes;
  std::vector<float> out;
};

void declare(benchmark::State& state, const Work& work) {
  const auto pixels = static_cast<double>(state.iterations()) * kSide * kSide;
  state.SetItemsProcessed(static_cast<std::int64_t>(pixels));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(work.bytesAPass()));
  state.counters["per_pixel"] =
      benchmark::Counter(pixels, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void pixelPass(benchmark::State& state) {
  Work work(static_cast<double>(state.range(0)) / 10);
  PixelPassSpec spec = wholeImage({work.side, work.side}, {kSide, kSide});
  const OutputForm form{static_cast<DType>(state.range(1)),
                        static_cast<Layout>(state.range(2)),
                        static_cast<DType>(state.range(1)) != DType::U8,
                        {0.485F, 0.456F, 0.406F},
                        {0.229F, 0.224F, 0.225F}};
  PixelPass pass;
  int i = 0;
  for (auto _ : state) {
    // Alternating regions: weights are computed again for each picture, as with random crops.
    spec.flipX = !spec.flipX;
    pass.run(work.view(i), spec, form,
             reinterpret_cast<std::byte*>(work.out.data() +
                                          Work::outputFloats * static_cast<std::size_t>(i)));
    benchmark::ClobberMemory();
    i = (i + 1) % kPictures;
  }
  declare(state, work);
}

void copyOfTheSameBytes(benchmark::State& state) {
  const Work work(static_cast<double>(state.range(0)) / 10);
  const std::size_t half = work.bytesAPass() / 2;
  std::vector<char> from(half * kPictures, 1);
  std::vector<char> to(half * kPictures, 2);
  std::size_t i = 0;
  for (auto _ : state) {
    std::memcpy(to.data() + i * half, from.data() + i * half, half);
    benchmark::ClobberMemory();
    i = (i + 1) % kPictures;
  }
  declare(state, work);
}

void scales(benchmark::internal::Benchmark* bench) {
  const auto type = [](DType t) { return static_cast<std::int64_t>(t); };
  const auto layout = [](Layout l) { return static_cast<std::int64_t>(l); };
  for (const int scale : {10, 13, 19, 30})
    bench->Args({scale, type(DType::F32), layout(Layout::Chw)});
  bench->Args({13, type(DType::U8), layout(Layout::Hwc)});
  bench->Args({13, type(DType::F32), layout(Layout::Hwc)});
  bench->Args({13, type(DType::F16), layout(Layout::Chw)});
  bench->Args({13, type(DType::BF16), layout(Layout::Chw)});
}

BENCHMARK(pixelPass)->ArgNames({"scale_x10", "dtype", "layout"})->Apply(scales);
BENCHMARK(copyOfTheSameBytes)->ArgName("scale_x10")->Arg(10)->Arg(13)->Arg(19);

}  // namespace

}  // namespace millrace
