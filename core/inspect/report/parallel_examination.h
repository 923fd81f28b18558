// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/inspect/report/sample_record.h"
#include "core/spec/source.h"

namespace millrace {

/// Samples from `begin` to `end` (exclusive).
struct SampleRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Threads that examine samples. A sample that does not end within `patience` (a file on a server
/// that does not answer) is recorded as hanging, and another thread continues. The hanging thread
/// is not joined and keeps its own data. Used by one thread.
class ParallelExamination {
 public:
  struct Settings {
    unsigned workers = 1;
    std::chrono::milliseconds patience = std::chrono::seconds(120);
  };
  /// After so many hanging samples the rest is given up: each holds a thread.
  static constexpr std::size_t kMostHanging = 64;

  /// Starts at once with the samples of `todo`, which are ascending and do not overlap.
  ParallelExamination(std::shared_ptr<const Source> source, std::vector<SampleRange> todo,
                      const Settings& settings);
  /// Does not wait for samples that hang.
  ~ParallelExamination();
  ParallelExamination(const ParallelExamination&) = delete;
  ParallelExamination& operator=(const ParallelExamination&) = delete;

  /// The blocks that were finished since the last call; waits for the first one up to 0.1 s.
  std::vector<ExaminedBlock> next();
  /// No sample is left, and next() has returned all blocks.
  bool isDone() const;
  /// Threads end after their current sample; what they have finished can still be taken.
  void stop();
  bool gaveUp() const { return m_gaveUp; }

 private:
  struct Shared;
  struct Worker;

  void start();
  void replaceHanging();
  bool abandon(Worker& worker);

  const Settings m_settings;
  const std::shared_ptr<Shared> m_shared;
  std::vector<std::shared_ptr<Worker>> m_workers;
  std::size_t m_hanging = 0;
  bool m_gaveUp = false;
};

}  // namespace millrace
