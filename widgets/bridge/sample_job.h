// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>
#include <QStringList>

#include "widgets/bridge/engine_child.h"

namespace millrace {

/// Generates sample data in a child (`millrace sample-data --cache`), one kind after the other. A
/// stop leaves no partial data. GUI thread; never waits.
class SampleJob : public QObject {
  Q_OBJECT
 public:
  enum class End : std::uint8_t { Made, Stopped, Failed };

  explicit SampleJob(QObject* parent = nullptr);

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_child.setProgram(program); }

  /// Call only while no job is active.
  void start(const QStringList& kinds);
  void stop() { m_child.stop(); }
  bool isAtWork() const { return m_child.isRunning(); }
  /// "Generating the sample data, only this once: 210 of 600, 3 s left"
  QString words() const;
  /// "210 of 600, 3 s left"; empty before the first progress.
  QString doneText() const;
  /// Progress of the current kind, 0 to 1.
  double share() const { return m_of == 0 ? 0 : m_done / m_of; }

 signals:
  void progressed();
  /// `sentence` gives the reason if it failed.
  void ended(millrace::SampleJob::End end, const QString& sentence);

 private:
  void startNext();
  void take(const ChildEvent& event);
  void conclude(const ChildExit& exit);

  EngineChild m_child;
  QStringList m_kinds;  ///< still to be generated; the child is at the first
  double m_done = 0;
  double m_of = 0;
  std::optional<double> m_secondsLeft;
};

}  // namespace millrace
