// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "core/base/check.h"
#include "core/run/read_ahead.h"
#include "core/run/run_parts.h"
#include "tests/core/run/run_support.h"

namespace millrace::tests {

/// The parts that read ahead for a chain, without workers: the test itself takes the samples.
struct AheadBench {
  explicit AheadBench(const std::string& chain, std::size_t threads = 4,
                      std::uint64_t mostBytes = ReadAhead::kMostBytes,
                      const OrderLimits& limits = OrderLimits{})
      : plan(planned(chain, threads)),
        caches(CacheSet::make(plan).take()),
        sampler(IndexSampler::make(plan, limits, false).take()),
        ahead(plan, caches, *sampler, mostBytes) {}

  static Plan planned(const std::string& chain, std::size_t threads) {
    Result<Plan> plan = planOf(chain);
    MILLRACE_CHECK(plan.ok(), plan.error().message);
    plan->readAhead.threads = threads;
    return plan.take();
  }
  /// Number of reads that the threads have finished.
  int reads() const {
    RunTotals totals;
    totals.stages.resize(plan.stages.size());
    ahead.addTo(totals);
    return static_cast<int>(totals.reads);
  }
  /// Waits until there are `count` reads, at most 30 s; returns their number.
  int waitForReads(int count) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (reads() < count && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return reads();
  }

  Plan plan;
  CacheSet caches;
  std::unique_ptr<IndexSampler> sampler;
  ReadAhead ahead;
};

}  // namespace millrace::tests
