// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "tests/core/run/run_support.h"

namespace millrace::tests {

/// What an executor passes to the threads of a chain, without the threads.
struct StageParts {
  explicit StageParts(const std::string& chain, FailureLimit limit = {})
      : plan(planOf(chain).take()),
        caches(CacheSet::make(plan).take()),
        live(plan),
        failures(limit, plan.pipeline.source->size()),
        stop(steadyClock()),
        parts{plan, caches, live, failures, stop, false},
        counters("test", plan.pipeline.nodes.size()) {}

  Plan plan;
  CacheSet caches;
  LiveValues live;
  FailureBudget failures;
  StopSignal stop;
  RunParts parts;
  ThreadCounters counters;
};

}  // namespace millrace::tests
