// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_answers.h"

#include <fmt/format.h>

namespace millrace {

namespace {

/// One second at 10 Hz. A single error is ignored; a device silent for this long is gone.
constexpr unsigned kSilentSamples = 10;

/// Whether the code will not change during the life of the process.
bool isRefusal(nvml::Code code) {
  return code == nvml::kNotSupported || code == nvml::kNoPermission ||
         code == nvml::kFunctionNotFound;
}

}  // namespace

bool isGpuEnd(nvml::Code code) {
  return code == nvml::kUninitialized || code == nvml::kDriverNotLoaded ||
         code == nvml::kGpuIsLost || code == nvml::kResetRequired || code == nvml::kVersionMismatch;
}

bool GpuAnswers::took(GpuQuestion question, nvml::Code code, const char* what) {
  if (code == nvml::kSuccess) return m_anyAnswer = true;
  if (isRefusal(code)) refuse(question);
  if (isGpuEnd(code) && m_lost.empty())
    m_lost = fmt::format("{} ({})", m_library.wordsOf(code), what);
  return false;
}

void GpuAnswers::endSample() {
  m_silent = m_anyAnswer ? 0 : m_silent + 1;
  if (m_lost.empty() && m_silent >= kSilentSamples) m_lost = "it has not answered for a second";
}

}  // namespace millrace
