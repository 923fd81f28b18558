// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/graph/plan.h"
#include "core/nodes/moving_share.h"
#include "core/nodes/side_indices.h"
#include "core/run/failure_budget.h"
#include "core/run/run_result.h"
#include "core/run/stop_signal.h"
#include "core/spec/sample_cache.h"

namespace millrace {

class ReadAhead;

/// The caches of a pipeline, and the side indices and moving shares of its decode nodes, by node
/// id. They outlive a repeat (CONTRACT §7). Constant after construction; what is in it is
/// thread-safe itself.
class CacheSet {
 public:
  static Result<CacheSet> make(const Plan& plan);
  SampleCache* find(const std::string& node) const;
  SideIndices* sideIndices(const std::string& node) const;
  /// Where a run moves the share of pictures that the node leaves to a device; else nullptr.
  MovingShare* movingShare(const std::string& node) const;
  /// Whether there is no cache.
  bool empty() const { return m_caches.empty(); }
  /// Whether an epoch goes faster once one has filled what is here.
  bool gainByAnEpoch() const { return !m_caches.empty() || !m_sideIndices.empty(); }
  /// As they are now, by id.
  std::vector<CacheFigures> figures() const;

 private:
  std::map<std::string, std::shared_ptr<SampleCache>> m_caches;
  std::map<std::string, std::shared_ptr<SideIndices>> m_sideIndices;
  std::map<std::string, std::shared_ptr<MovingShare>> m_movingShares;
};

/// Parameters that change while a run goes on. A change is a new set of values with a new version;
/// each worker sees it before its next sample and makes its operations anew. Monitor, with a
/// lock-free test for "nothing changed".
class LiveValues {
 public:
  explicit LiveValues(const Plan& plan);

  std::uint64_t version() const { return m_version.load(std::memory_order_acquire); }
  Values valuesOf(std::size_t node) const;
  std::uint64_t versionOf(std::size_t node) const;
  /// Refuses nodes and parameters that are not there, not marked live, or out of range, and nodes
  /// in front of a cache, which would go on with what it has.
  Status set(const Plan& plan, const std::string& node, const std::string& param,
             const std::string& text);

 private:
  std::atomic<std::uint64_t> m_version{0};
  mutable Mutex m_mutex;
  std::vector<Values> m_values MILLRACE_GUARDED_BY(m_mutex);
  std::vector<std::uint64_t> m_versions MILLRACE_GUARDED_BY(m_mutex);
};

/// What the threads of a run share. Outlives them all.
struct RunParts {
  const Plan& plan;
  const CacheSet& caches;
  LiveValues& live;
  FailureBudget& failures;
  const StopSignal& stop;
  bool noRandom = false;
  /// Where the plan has a transfer to one.
  std::shared_ptr<Device> device = nullptr;
  /// Where the plan reads ahead.
  ReadAhead* readAhead = nullptr;
};

}  // namespace millrace
