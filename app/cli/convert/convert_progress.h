// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/common/work_progress.h"
#include "core/jobs/convert/convert_job.h"

namespace millrace::cli {

/// Shows a conversion's progress. One thread.
class ConvertReport final : public ConvertObserver {
 public:
  explicit ConvertReport(bool events) : m_shown(events) {}

  void onStart() override { m_shown.start(); }
  void onProgress(const ConvertProgress& progress) override {
    m_shown.show(progress.doing, progress.done, progress.of);
  }
  void clear() { m_shown.clear(); }

 private:
  WorkProgress m_shown;
};

}  // namespace millrace::cli
