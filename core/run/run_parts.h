// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/stop_signal.h"
#include "core/graph/plan.h"
#include "core/pass/offload_share.h"
#include "core/pass/side_indices.h"
#include "core/run/failure_budget.h"
#include "core/spec/sample_cache.h"

namespace millrace {

class EarlyStarts;
class ReadAhead;

/// The caches of a pipeline and, for its decode nodes, the side indices and adaptive offload
/// fractions, by node id. They live longer than a repeat (docs/reference/figures.md). Constant
/// after construction; its members are thread-safe.
class CacheSet {
 public:
  static Result<CacheSet> make(const Plan& plan);
  SampleCache* find(const std::string& node) const;
  SideIndices* sideIndices(const std::string& node) const;
  /// The fraction of pictures that this decode node leaves to the device, if the run adapts it;
  /// else nullptr.
  OffloadShare* offloadShare(const std::string& node) const;
  /// Whether the pipeline has no cache.
  bool empty() const { return m_caches.empty(); }
  /// Whether the second epoch is faster than the first, which fills caches and side indices.
  bool gainByAnEpoch() const { return !m_caches.empty() || !m_sideIndices.empty(); }
  /// Current fill of each cache and side index, by id.
  std::vector<CacheFigures> figures() const;

 private:
  std::map<std::string, std::shared_ptr<SampleCache>> m_caches;
  std::map<std::string, std::shared_ptr<SideIndices>> m_sideIndices;
  std::map<std::string, std::shared_ptr<OffloadShare>> m_offloadShares;
};

/// Parameters that can change during a run. A change stores a new set of values under a new
/// version; a worker sees it before its next sample and rebuilds the operations concerned.
/// Thread-safe (monitor); the test for "unchanged" is lock-free.
class LiveValues {
 public:
  explicit LiveValues(const Plan& plan);

  std::uint64_t version() const { return m_version.load(std::memory_order_acquire); }
  Values valuesOf(std::size_t node) const;
  std::uint64_t versionOf(std::size_t node) const;
  /// Refused for a node or parameter that does not exist, is not live or out of range, and for
  /// nodes upstream of a cache, which would go on using the old values.
  Status set(const Plan& plan, const std::string& node, const std::string& param,
             const std::string& text);

 private:
  std::atomic<std::uint64_t> m_version{0};
  mutable Mutex m_mutex;
  std::vector<Values> m_values MILLRACE_GUARDED_BY(m_mutex);
  std::vector<std::uint64_t> m_versions MILLRACE_GUARDED_BY(m_mutex);
};

/// What the threads of a run share. Outlives the threads.
struct RunParts {
  const Plan& plan;
  const CacheSet& caches;
  LiveValues& live;
  FailureBudget& failures;
  const StopSignal& stop;
  bool noRandom = false;
  /// nullptr unless the plan uses a device.
  std::shared_ptr<Device> device = nullptr;
  /// nullptr unless the plan reads ahead.
  ReadAhead* readAhead = nullptr;
  /// nullptr unless several workers share batches in strict order, and read themselves.
  EarlyStarts* early = nullptr;
};

}  // namespace millrace
