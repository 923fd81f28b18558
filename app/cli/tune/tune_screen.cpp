// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_screen.h"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/diagnose/diagnosis_progress.h"
#include "app/cli/run/stop_requests.h"
#include "core/base/text/text.h"

namespace millrace::cli {

TuneScreen::TuneScreen(const TuneArguments& arguments, const std::vector<Problem>& warnings)
    : m_arguments(arguments),
      m_warnings(warnings),
      m_terminal(!arguments.events && isatty(STDERR_FILENO) != 0),
      m_progress(m_terminal, [this](std::size_t) { return m_setting; }) {}

void TuneScreen::end() {
  m_requests.reset();
  m_progress.clear();
}

void TuneScreen::result(const TuneOutcome& outcome, const std::string& json) {
  m_events->tuneEnded(outcome);
  m_events->result(json);
}

void TuneScreen::onNotKept(const std::string& sentence) {
  m_progress.clear();
  reportNotKept(sentence);
}

void TuneScreen::onBegin(const TuneOutcome& outcome) {
  if (!m_arguments.events) return;
  m_events.emplace();
  for (const Problem& warning : m_warnings) m_events->problem(warning);
  m_events->tune(outcome);
  m_requests.emplace(stopRequests(*m_events, m_stop));
}

std::unique_ptr<DiagnosisObserver> TuneScreen::observeDiagnosis() {
  m_progress.clear();
  return std::make_unique<DiagnosisProgress>(m_terminal, m_events ? &*m_events : nullptr);
}

void TuneScreen::onSpace(const TuneOutcome& outcome) {
  if (m_events) m_events->space(outcome);
}

void TuneScreen::onTrialBegin(const TuneOutcome& outcome, const TuneTrialBegin& begin) {
  const TunedSetting& setting = outcome.settings[begin.setting];
  m_setting = setting.edits.empty() ? "unmodified" : setting.settings;
  if (!begin.replayed)
    m_progress.step({begin.setting, setting.repeats.size(), outcome.trials, 0, begin.secondsLeft});
  if (m_events) m_events->trialBegun(outcome, begin);
}

void TuneScreen::onTrialEnd(const TuneOutcome& outcome, const TuneTrialEnd& end) {
  if (!end.reason.empty()) m_progress.clear();
  if (!end.reason.empty() && !end.replayed)
    printMessage("{}: {}{}\n", m_setting, singleLine(end.reason),
                 end.kind == TrialEndedEvent::State::Replaced ? "; it will be measured again" : "");
  if (m_events) m_events->trialEnded(outcome, end);
}

void TuneScreen::onWaiting(double mostSeconds) {
  m_progress.waiting(mostSeconds);
  if (m_events) m_events->waiting(mostSeconds);
}

}  // namespace millrace::cli
