// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include <QString>

#include "core/events/stream/event_reader.h"
#include "core/inspect/report/data_report.h"
#include "widgets/models/live/run_settings.h"

namespace millrace {

/// The state of a report on data, built from the events of `millrace inspect --all`. GUI thread.
class LiveReport {
 public:
  enum class State {
    None,
    Looking,    ///< for the samples
    Examining,  ///< them
    Reading,    ///< the child has ended, and its report is being read
    Over,
  };

  /// `title`: the pipeline whose data it is.
  void begin(const QString& title, const std::filesystem::path& path);
  /// Takes progress; the report itself is read on another thread, then comes by `setReport`.
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end);
  /// A report has arrived and is being read.
  void expectReport() { m_expectsReport = true; }
  /// nullptr: it cannot be read.
  void setReport(std::shared_ptr<const DataReport> report);

  State state() const { return m_state; }
  bool isOver() const { return m_state == State::Over; }
  /// It has begun and is not over.
  bool isGoing() const { return m_state != State::None && !isOver(); }
  const QString& title() const { return m_title; }
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t done() const { return m_done; }
  /// 0: not known yet.
  std::uint64_t of() const { return m_of; }
  std::optional<double> secondsLeft() const { return m_left; }
  /// What was found; nullptr before the end. After a stop `interrupted` is set in it.
  const std::shared_ptr<const DataReport>& report() const { return m_report; }
  /// Whether every sample was examined.
  bool isComplete() const { return isOver() && m_report && !m_report->interrupted; }
  const std::optional<ChildEnd>& end() const { return m_end; }

 private:
  State m_state = State::None;
  QString m_title;
  std::filesystem::path m_path;
  std::uint64_t m_done = 0;
  std::uint64_t m_of = 0;
  std::optional<double> m_left;
  bool m_expectsReport = false;
  std::shared_ptr<const DataReport> m_report;
  std::optional<ChildEnd> m_end;
};

}  // namespace millrace
