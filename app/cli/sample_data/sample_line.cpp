// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_data/sample_line.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/run/run_control.h"

namespace millrace::cli {

bool SampleLine::onSampleData(const std::string& name, std::uint32_t done, std::uint32_t of) {
  if (!std::exchange(m_said, true))
    printMessage("generating the sample data `{}`, only this once\n", name);
  if (isatty(STDERR_FILENO) != 0) printMessage("\r\x1b[K  {} of {}", done, of);
  return !interruptPending();
}

void SampleLine::onSampleDataEnd(const std::string&) {
  m_said = false;
  if (isatty(STDERR_FILENO) != 0) printMessage("\r\x1b[K");
}

}  // namespace millrace::cli
