// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Counts what goes through operator new while batches are made. Codec libraries call malloc, which
// is not counted. A separate program, because it replaces the operators of the whole program.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <atomic>
#include <cstdlib>
#include <new>
#include <optional>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> allocations{0};

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
}

void* allocateOrThrow(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

void* operator new(std::size_t n) { return allocateOrThrow(n, kUsual); }
void* operator new[](std::size_t n) { return allocateOrThrow(n, kUsual); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, kUsual); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, kUsual); }
void* operator new(std::size_t n, std::align_val_t a) {
  return allocateOrThrow(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return allocateOrThrow(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestAllocations : public QObject {
  Q_OBJECT

  /// Allocations of all threads while so many batches of one epoch are made, once each thread has
  /// had samples enough. The chain has `laps` in each of its regions.
  static std::int64_t during(std::uint64_t batches, const std::string& chain) {
    const Result<Plan> plan = planOf(chain);
    forgetLaps();  // the check made one too
    if (!plan) qFatal("%s", plan.error().message.c_str());
    const CacheSet caches = CacheSet::make(*plan).take();
    auto executor = Executor::make(*plan, caches, {});
    if (!executor) qFatal("%s", executor.error().message.c_str());
    std::optional<std::uint64_t> first;
    std::uint64_t before = 0;
    const RunEnd end = (*executor)->run([&](const Batch& batch, const Executor::Arrival&) {
      if (batch.epoch != 0) qFatal("the epoch is too short");
      if (first) return batch.sequence < *first + batches;
      if (batch.sequence < kWarmBatches || !everyThreadIsWarm()) return true;
      first = batch.sequence;
      before = allocations;
      counting = true;
      return true;
    });
    counting = false;
    if (end != RunEnd::Finished) qFatal("%s", (*executor)->error().message.c_str());
    return static_cast<std::int64_t>(allocations - before);
  }
  static constexpr std::uint64_t kWarmBatches = 200;
  /// Of 3 200 random crops a few are the largest that their thread has seen: its buffers grow.
  static constexpr std::int64_t kGrowth = 4;

 private slots:
  void anAllocationIsCounted() {
    const std::uint64_t before = allocations;
    counting = true;
    delete new std::string(100, 'x');
    counting = false;
    QVERIFY(allocations > before);
  }

  void tinySamplesAllocateNothing() {
    for (const char* region : {"", "workers {\"count\": 1}", "workers {\"count\": 3}",
                               "workers {\"count\": 3, \"unit\": \"batch\"}",
                               "workers {\"count\": 3, \"order\": \"ready\"}"})
      for (const char* end : {"drain", "prefetch\ndrain", "prefetch\nprefetch\ndrain"})
        QCOMPARE(during(700, fmt::format("synthetic {{\"count\": 600000}}\nshuffle\n{}\nlaps\n"
                                         "batch {{\"size\": 64}}\n{}",
                                         region, end)),
                 0);
  }

  void workBehindTheBatchAllocatesNothing() {
    QCOMPARE(during(700,
                    "synthetic {\"count\": 600000}\nworkers {\"count\": 2}\nbatch {\"size\": 64}\n"
                    "tint\nlaps\nprefetch\nworkers {\"count\": 2}\ntint\nlaps\nprefetch\n"
                    "drain"),
             0);
  }

  void bytesOfAnyLengthAllocateNothingOnceTheArenasHaveGrown() {
    QCOMPARE(during(700,
                    "words {\"count\": 600000, \"unit\": 400}\nworkers {\"count\": 2}\n"
                    "laps\nbatch {\"size\": 63}\nprefetch\ndrain"),
             0);
  }

  /// Slots get their memory when they are first needed, and that can be late.
  void whatIsReadAheadAllocatesForItsSlotsAlone() {
    constexpr std::int64_t kSlots = 16 + 2;
    QVERIFY(during(700,
                   "words {\"count\": 600000, \"unit\": 400, \"read_ahead\": 16}\n"
                   "workers {\"count\": 2}\nlaps\nbatch {\"size\": 63}\nprefetch\ndrain") <=
            20 * kSlots);
  }

  void picturesAllocateNothing() {
    QTemporaryDir folder;
    writePictures(folder.path().toStdString(), 24);
    const std::string chain = fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nrepeat {{\"count\": 1000}}\nshuffle\n"
        "workers {{\"count\": 2}}\nlaps\ndecode\nrandom_resized_crop {{\"height\": 24, \"width\": "
        "20}}\n"
        "flip\nnormalise\nprecision\nbatch {{\"size\": 16}}\nprefetch\ndrain",
        folder.path().toStdString());
    QVERIFY(during(200, chain) <= kGrowth);
  }

  void cachedPicturesAllocateNothing() {
    QTemporaryDir folder;
    writePictures((folder.path() + "/pictures").toStdString(), 24);
    const std::string path = folder.path().toStdString();
    for (const std::string& cache : {std::string("memory_cache"),
                                     fmt::format("disk_cache {{\"path\": \"{}/cache\"}}", path)}) {
      const std::string chain = fmt::format(
          "image_folder {{\"paths\": [\"{}/pictures\"]}}\nrepeat {{\"count\": 1000}}\nshuffle\n"
          "workers {{\"count\": 2}}\ndecode\n{}\nlaps\nrandom_resized_crop {{\"height\": 24, "
          "\"width\": 20}}\nflip\nnormalise\nprecision\nbatch {{\"size\": 16}}\nprefetch\ndrain",
          path, cache);
      QVERIFY2(during(200, chain) <= kGrowth, cache.c_str());
    }
  }
};

}  // namespace millrace

using millrace::TestAllocations;
MILLRACE_TEST_CASE(TestAllocations)
#include "tst_allocations.moc"
