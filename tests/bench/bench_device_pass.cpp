// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The device's pixel pass on batches of 256 u8 RGB pictures to 224 x 224 planes, normalised and
// flipped. For comparison in the same run: a copy on the device of as many bytes as a pass must
// move (bytes read plus bytes written), and a copy from pinned memory to the device, for comparison
// with a pipeline's transfer. Every call uses the next of several sets of buffers, so that none
// finds data of an earlier one in the cache. Times are measured by the device's events. Skipped
// with the reason if there is no GPU; MILLRACE_BACKEND=emulated runs it without one, but its
// figures then say nothing about a GPU.
#include <benchmark/benchmark.h>

#include <deque>
#include <vector>

#include "core/cuda/device.h"
#include "core/kernels/device/device_pass.h"

namespace millrace {

namespace {

constexpr int kSide = 224;
constexpr int kRows = 256;
/// Eight times the largest cache of any present GPU (126 MB in a B200).
constexpr std::size_t kBeyondCaches = std::size_t{1} << 30;

/// One batch in device memory, and two events around the timed work.
struct Bench {
  explicit Bench(benchmark::State& state) {
    auto opened = openDevice();
    if (!opened) {
      state.SkipWithError(opened.error().message.c_str());
      return;
    }
    device = opened.take();
    stream = device->makeStream("bench").take();
    begin = device->makeEvent(EventKind::Timed).take();
    end = device->makeEvent(EventKind::Timed).take();
  }

  std::byte* memory(std::size_t bytes) {
    held.push_back(device->deviceMemory(bytes).take());
    (void)stream->fill(held.back().data(), 77, bytes);
    return held.back().data();
  }

  /// The number of sets of so many bytes that together exceed every cache; one for the emulated
  /// device.
  std::size_t setsOf(std::size_t bytes) const {
    if (device->backend() == DeviceBackend::Emulated) return 2;
    return kBeyondCaches / bytes + 1;
  }

  /// Device seconds of the work that `work(number)` enqueues, repeated so often that the host,
  /// which needs some microseconds for each, stays ahead of the device.
  template <class Work>
  double seconds(benchmark::State& state, Work work) {
    constexpr int kTimes = 20;
    Status done = work(next++);
    if (done.ok()) done = stream->record(*begin);
    for (int i = 0; i < kTimes && done.ok(); ++i) done = work(next++);
    if (done.ok()) done = stream->record(*end);
    if (done.ok()) done = end->wait();
    if (!done) state.SkipWithError(done.error().message.c_str());
    const auto time = end->since(*begin);
    return time ? std::chrono::duration<double>(*time).count() / kTimes : 0;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<Event> begin;
  std::unique_ptr<Event> end;
  std::vector<DeviceBuffer> held;
  std::size_t next = 0;  ///< number of the next call
};

std::size_t sourceBytes(int side) { return static_cast<std::size_t>(side * side * 3) * kRows; }
std::size_t resultBytes(DType dtype) {
  return static_cast<std::size_t>(kSide * kSide * 3) * kRows * sizeOf(dtype);
}

void declare(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.SetItemsProcessed(kRows * state.iterations());
}

/// The input and output of the pass for one batch.
struct PassSet {
  PassSet(Bench& bench, int side, const OutputForm& form, const float* values)
      : source(bench.memory(sourceBytes(side))), out(bench.memory(resultBytes(form.dtype))) {
    std::vector<PassRow> rows;
    PixelPassSpec spec = wholeImage({side, side}, {kSide, kSide});
    for (int i = 0; i < kRows; ++i) {
      spec.flipX = i % 2 == 1;
      const auto row = static_cast<std::size_t>(i);
      rows.push_back(devicePassRow(
          {deviceAddress(source + sourceBytes(side) / kRows * row), {side, side}, 3}, spec, nullptr,
          deviceAddress(out + resultBytes(form.dtype) / kRows * row), tables));
    }
    std::byte* const there = bench.memory(rows.size() * sizeof(PassRow));
    (void)bench.stream->copyToDevice(there, rows.data(), rows.size() * sizeof(PassRow));
    (void)bench.stream->synchronise();
    PixelTable table;
    table.compute(form, 3);
    pass.rows = reinterpret_cast<const PassRow*>(there);
    pass.rowCount = kRows;
    pass.width = kSide;
    pass.height = kSide;
    pass.form = deviceForm(form, 3, table);
    pass.form.values = values;
    pass.scratch = bench.memory(tables.bytes() + 1);
  }

  const std::byte* source;
  std::byte* out;
  DevicePassTables tables;
  DevicePass pass;
};

const float* valuesThere(Bench& bench, const OutputForm& form) {
  PixelTable table;
  table.compute(form, 3);
  std::vector<float> values(3 * 256);
  valuesOf(table, 3, values.data());
  std::byte* const there = bench.memory(values.size() * sizeof(float));
  (void)bench.stream->copyToDevice(there, values.data(), values.size() * sizeof(float));
  (void)bench.stream->synchronise();
  return reinterpret_cast<const float*>(there);
}

/// Arguments: the scale in tenths (10: a crop, nothing is resampled), and the type.
void devicePass(benchmark::State& state) {
  Bench bench(state);
  if (!bench.device) return;
  const int side = static_cast<int>(kSide * state.range(0) / 10);
  const auto dtype = static_cast<DType>(state.range(1));
  const OutputForm form{
      dtype, Layout::Chw, true, {0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
  const float* const values = valuesThere(bench, form);
  const std::size_t moved = sourceBytes(side) + resultBytes(dtype);
  std::deque<PassSet> sets;
  for (std::size_t i = 0; i < bench.setsOf(moved); ++i)
    sets.emplace_back(bench, side, form, values);
  for (auto _ : state)
    state.SetIterationTime(bench.seconds(state, [&](std::size_t number) {
      PassSet& set = sets[number % sets.size()];
      return launchDevicePass(*bench.stream, set.pass, set.tables);
    }));
  declare(state, moved);
}

/// As many bytes read and written as the pass of the same arguments.
void deviceCopy(benchmark::State& state) {
  Bench bench(state);
  if (!bench.device) return;
  const int side = static_cast<int>(kSide * state.range(0) / 10);
  const std::size_t moved = sourceBytes(side) + resultBytes(static_cast<DType>(state.range(1)));
  std::vector<std::byte*> sets;
  for (std::size_t i = 0; i < bench.setsOf(moved); ++i) sets.push_back(bench.memory(moved));
  for (auto _ : state)
    state.SetIterationTime(bench.seconds(state, [&](std::size_t number) {
      std::byte* const set = sets[number % sets.size()];
      return bench.stream->copyOnDevice(set + moved / 2, set, moved / 2);
    }));
  declare(state, moved);
}

/// A batch of u8 pictures from pinned memory.
void pinnedCopy(benchmark::State& state) {
  Bench bench(state);
  if (!bench.device) return;
  const std::size_t bytes = sourceBytes(kSide);
  auto pinned = bench.device->pinnedMemory(2 * bytes);
  if (!pinned) {
    state.SkipWithError(pinned.error().message.c_str());
    return;
  }
  std::byte* const there = bench.memory(2 * bytes);
  for (auto _ : state)
    state.SetIterationTime(bench.seconds(state, [&](std::size_t number) {
      const std::size_t at = number % 2 * bytes;
      return bench.stream->copyToDevice(there + at, pinned->data() + at, bytes);
    }));
  declare(state, bytes);
}

void scalesAndTypes(benchmark::internal::Benchmark* bench) {
  for (const int scale : {10, 15, 22, 40})
    for (const DType dtype : {DType::F16, DType::F32})
      bench->Args({scale, static_cast<std::int64_t>(dtype)});
  bench->UseManualTime();
}

BENCHMARK(devicePass)->Apply(scalesAndTypes);
BENCHMARK(deviceCopy)->Apply(scalesAndTypes);
BENCHMARK(pinnedCopy)->UseManualTime();

}  // namespace

}  // namespace millrace
