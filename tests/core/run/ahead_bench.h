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

/// What reads ahead for a chain, without workers: the test takes samples in their place.
struct AheadBench {
  explicit AheadBench(const std::string& chain, std::size_t threads = 4,
                      std::uint64_t mostBytes = ReadAhead::kMostBytes,
                      const OrderLimits& limits = OrderLimits{})
      : plan(planned(chain, threads)),
        caches(CacheSet::make(plan).take()),
        cursor(OrderCursor::make(plan, limits, false).take()),
        ahead(plan, caches, *cursor, mostBytes) {}

  static Plan planned(const std::string& chain, std::size_t threads) {
    Result<Plan> plan = planOf(chain);
    MILLRACE_CHECK(plan.ok(), plan.error().message);
    plan->readAhead.threads = threads;
    return plan.take();
  }
  /// That the threads have done.
  int reads() const {
    RunTotals totals;
    totals.stages.resize(plan.stages.size());
    ahead.addTo(totals);
    return static_cast<int>(totals.reads);
  }
  /// The same once there are so many, or after 30 s.
  int waitForReads(int count) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (reads() < count && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return reads();
  }

  Plan plan;
  CacheSet caches;
  std::unique_ptr<OrderCursor> cursor;
  ReadAhead ahead;
};

}  // namespace millrace::tests
