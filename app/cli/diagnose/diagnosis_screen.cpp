// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnosis_screen.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/stop_requests.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"

namespace millrace::cli {

DiagnosisScreen::DiagnosisScreen(bool events, std::vector<Problem> prepared,
                                 std::function<void()> stop)
    : m_wanted(events), m_prepared(std::move(prepared)), m_stop(std::move(stop)) {}

void DiagnosisScreen::onBegin() {
  if (m_wanted) {
    m_events.emplace();
    for (const Problem& problem : m_prepared) m_events->problem(problem);
    m_requests.emplace(stopRequests(*m_events, m_stop));
  }
  m_progress.emplace(!m_wanted && isatty(STDERR_FILENO) != 0, events());
}

void DiagnosisScreen::end() {
  m_requests.reset();
  if (m_progress) m_progress->clear();
}

void DiagnosisScreen::onWarning(const Problem& problem) {
  if (m_progress) m_progress->clear();
  printProblems({problem});
  if (m_events) m_events->problem(problem);
}

void DiagnosisScreen::onNotKept(const std::string& sentence) {
  if (m_progress) m_progress->clear();
  reportNotKept(sentence);
}

}  // namespace millrace::cli
