// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::cli {

/// Shows how far work on many samples is: on a terminal in one line that is updated in place, or as
/// events. One thread.
class WorkProgress {
 public:
  explicit WorkProgress(bool events);
  ~WorkProgress() { clear(); }
  WorkProgress(const WorkProgress&) = delete;
  WorkProgress& operator=(const WorkProgress&) = delete;

  /// Begins the event stream.
  void start();
  /// Rate and time left are those since `doing` last changed. Shown at most five times a second.
  void show(std::string_view doing, std::uint64_t done, std::uint64_t of);
  void clear();

 private:
  bool m_events;
  bool m_terminal;
  bool m_shown = false;
  double m_last = 0;
  std::string m_doing;  ///< the activity since m_since
  double m_since = 0;
  std::uint64_t m_from = 0;
};

}  // namespace millrace::cli
