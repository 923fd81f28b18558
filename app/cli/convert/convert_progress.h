// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/jobs/convert/convert_job.h"

namespace millrace::cli {

/// Shows a conversion's progress: on a terminal in one line, or as events. One thread.
class ConvertReport final : public ConvertObserver {
 public:
  explicit ConvertReport(bool events);
  ~ConvertReport() override { clear(); }
  ConvertReport(const ConvertReport&) = delete;
  ConvertReport& operator=(const ConvertReport&) = delete;

  void onStart() override;
  void onProgress(const ConvertProgress& progress) override;
  void clear();

 private:
  bool m_events;
  bool m_terminal;
  bool m_shown = false;
  double m_last = 0;
  std::string_view m_doing;  ///< the activity since m_since
  double m_since = 0;
  std::uint64_t m_from = 0;
};

}  // namespace millrace::cli
