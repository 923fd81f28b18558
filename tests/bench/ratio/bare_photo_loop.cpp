// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/ratio/bare_photo_loop.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/codecs/codec.h"
#include "core/data/buffer.h"
#include "core/formats/io/file_reader.h"
#include "core/kernels/pass/pixel_pass.h"
#include "tests/bench/photo_crops.h"

namespace millrace::bench {

namespace {

constexpr int kSide = 224;
constexpr std::size_t kBatch = 64;
constexpr std::size_t kSlots = 4;

[[noreturn]] void fail(const std::string& path, const Error& error) {
  fmt::print(stderr, "{}: {}\n", path, error.message);
  std::exit(1);
}

}  // namespace

struct BarePhotoLoop::Files {
  std::vector<std::string> paths;
};

struct BarePhotoLoop::Worker {
  FileReader reader;
  ReadCounters counters;
  ImageDecoder decoder;
  PixelPass pass;
  OutputForm form;

  Worker() {
    form.dtype = DType::F32;
    form.layout = Layout::Chw;
    form.normalise = true;
    form.mean = {0.485F, 0.456F, 0.406F, 0};
    form.deviation = {0.229F, 0.224F, 0.225F, 1};
  }

  void photo(const std::string& path, std::uint64_t number, std::byte* out) {
    auto bytes = reader.read(AT_FDCWD, path.c_str(), counters);
    if (!bytes) fail(path, bytes.error());
    auto info = decoder.open(*bytes);
    if (!info) fail(path, info.error());
    Draw draw(DrawKey{1, 0, static_cast<std::uint32_t>(number), 0, 7});
    const Rect crop = randomCrop(info->size, draw);
    auto decoded = decoder.decode({.region = crop, .cover = {kSide, kSide}});
    if (!decoded) fail(path, decoded.error());
    PixelPassSpec spec;
    spec.source = decoded->region;
    spec.resized = {kSide, kSide};
    spec.cut = {0, 0, kSide, kSide};
    spec.flipX = draw.bernoulli(0.5);
    pass.run(decoded->pixels, spec, form, out);
  }
};

BarePhotoLoop::BarePhotoLoop(const std::filesystem::path& folder)
    : m_files(std::make_unique<Files>()) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) m_files->paths.push_back(entry.path().string());
  std::sort(m_files->paths.begin(), m_files->paths.end());
  Draw draw(DrawKey{3});
  for (std::size_t i = m_files->paths.size(); i > 1; --i) {
    const auto other = draw.integer(0, static_cast<std::int64_t>(i) - 1);
    std::swap(m_files->paths[i - 1], m_files->paths[static_cast<std::size_t>(other)]);
  }
}

BarePhotoLoop::~BarePhotoLoop() = default;

double BarePhotoLoop::rate(std::size_t threads, double warmup, double seconds) {
  constexpr std::size_t kSample = std::size_t{3} * kSide * kSide * sizeof(float);
  Buffer slots;
  std::byte* memory = slots.reserve(kSample * kBatch * kSlots);
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&] {
      Worker worker;
      while (!stop.load(std::memory_order_relaxed)) {
        const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
        worker.photo(m_files->paths[number % m_files->paths.size()], number,
                     memory + number % (kBatch * kSlots) * kSample);
        done.fetch_add(1, std::memory_order_relaxed);
      }
    });
  const auto sleep = [](double span) {
    std::this_thread::sleep_for(std::chrono::duration<double>(span));
  };
  sleep(warmup);
  const SteadyTime begin = steadyClock().now();
  const std::uint64_t before = done;
  sleep(seconds);
  const std::uint64_t after = done;
  const double span = toSeconds(steadyClock().now() - begin);
  stop = true;
  for (std::thread& thread : all) thread.join();
  return static_cast<double>(after - before) / span;
}

}  // namespace millrace::bench
