// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "core/run/measured_run.h"
#include "core/spec/source.h"

namespace millrace::cli {

/// `--page-cache`, `--cold`: how the data lies when a repeat begins.
enum class PageCacheWish { AsFound, Warm, Cold };

/// Keeps the page cache in one state over the repeats that are compared. `prepare` and `stop` from
/// any thread, one call of `prepare` at a time.
class PageCachePlan {
 public:
  /// Looks at the data. As found: cold data of 256 MB or more is dropped again before each repeat,
  /// so that each reads it from storage; less, and data that lies there in part, is read once.
  PageCachePlan(std::shared_ptr<const Source> source, PageCacheWish wish);

  /// Before a repeat. What share of the data the page cache then holds, where that is known.
  std::optional<double> prepare();
  void stop() { m_stop = true; }
  /// Whether each repeat begins with none of the data in the page cache.
  bool dropsEach() const { return m_way == Way::DropEach; }
  /// By name, when it was last looked at.
  const std::string& state() const { return m_state; }
  /// "Page cache: warm, as it was found."
  std::string text() const;

 private:
  enum class Way { Leave, ReadOnce, DropEach };
  void probe();

  const std::shared_ptr<const Source> m_source;
  Way m_way = Way::Leave;
  bool m_done = false;  ///< read once
  std::string m_found;
  std::string m_state;
  std::optional<double> m_residentShare;  ///< when it was last looked at
  std::atomic<bool> m_stop{false};
};

}  // namespace millrace::cli
