// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/common/job_input.h"

namespace millrace::cli {

/// Reports on standard error that sample data is generated: the first run of an example takes a few
/// seconds longer. Ctrl+C stops it.
class SampleLine final : public SampleDataObserver {
 public:
  bool onSampleData(const std::string& name, std::uint32_t done, std::uint32_t of) override;
  void onSampleDataEnd(const std::string& name) override;

 private:
  bool m_said = false;  ///< of the data that is generated now
};

}  // namespace millrace::cli
