// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "core/measure/measured_run.h"
#include "core/spec/source.h"

namespace millrace {

/// `--page-cache`, `--cold`: the state of the data when a repeat begins.
enum class PageCacheRequest { AsFound, Warm, Cold };

/// Keeps the page cache in one state over all compared repeats. `prepare` and `stop` may be called
/// from any thread, but only one `prepare` at a time.
class PageCachePlan {
 public:
  /// Checks the data. As found: cold data of 256 MB or more is dropped before each repeat, so that
  /// each reads from storage; smaller data, and data that is partly cached, is read once.
  PageCachePlan(std::shared_ptr<const Source> source, PageCacheRequest request);

  /// Call before a repeat. Returns the share of the data that is then in the page cache, if known.
  std::optional<double> prepare();
  void stop() { m_stop = true; }
  /// Whether each repeat begins without any of the data in the page cache.
  bool dropsEach() const { return m_way == Way::DropEach; }
  /// The name of the state at the last check.
  const std::string& state() const { return m_state; }
  /// "Page cache: warm, as it was found."
  std::string text() const;

 private:
  enum class Way { Leave, ReadOnce, DropEach };
  void probe();

  const std::shared_ptr<const Source> m_source;
  Way m_way = Way::Leave;
  bool m_done = false;  ///< the data has been read once
  std::string m_found;
  std::string m_state;
  std::optional<double> m_residentShare;  ///< at the last check
  std::atomic<bool> m_stop{false};
};

}  // namespace millrace
