// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/live_report.h"

#include <utility>

namespace millrace {

void LiveReport::begin(const QString& title, const std::filesystem::path& path) {
  *this = {};
  m_state = State::Looking;
  m_title = title;
  m_path = path;
}

void LiveReport::take(const StreamEvent& event) {
  const auto* progress = std::get_if<ProgressEvent>(&event.content);
  if (progress == nullptr) return;
  m_state = State::Examining;
  m_done = progress->done;
  m_of = progress->of;
  m_left = progress->secondsLeft;
}

void LiveReport::finish(const ChildEnd& end) {
  m_end = end;
  m_left.reset();
  m_state = m_expectsReport ? State::Reading : State::Over;
}

void LiveReport::setReport(std::shared_ptr<const DataReport> report) {
  m_expectsReport = false;
  // A stop before the first sample leaves nothing to show.
  const bool isEmpty = report && report->interrupted && report->examined() == 0;
  m_report = isEmpty ? nullptr : std::move(report);
  if (m_report) {
    m_done = m_report->examined();
    m_of = m_report->samples();
  }
  if (m_state == State::Reading) m_state = State::Over;
}

}  // namespace millrace
