// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/event_pipe.h"

namespace millrace {

/// Draws sample data by a child (`millrace sample-data --cache`), one kind after the other. A stop
/// leaves nothing half made. GUI thread; never waits.
class SampleJob : public QObject {
  Q_OBJECT
 public:
  enum class End : std::uint8_t { Made, Stopped, Failed };

  explicit SampleJob(QObject* parent = nullptr);
  ~SampleJob() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }

  /// Only while none is at work.
  void start(const QStringList& kinds);
  void stop();
  bool isAtWork() const { return m_process != nullptr; }
  /// "Drawing the sample data: 210 of 600, 3 s left."
  QString words() const;
  /// 0 to 1, of the kind that is being drawn.
  double share() const { return m_of == 0 ? 0 : static_cast<double>(m_done) / m_of; }

 signals:
  void progressed();
  /// `sentence` says why where it failed.
  void ended(millrace::SampleJob::End end, const QString& sentence);

 private:
  void startNext();
  void take(const EventPipe::Slice& slice);
  void conclude();
  void leave(End end, const QString& sentence = {});

  QString m_program;
  QStringList m_kinds;  ///< still to be drawn, the first by the child
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<EventPipe> m_pipe;
  QTimer m_kill;
  QByteArray m_words;
  double m_done = 0;
  double m_of = 0;
  std::optional<double> m_secondsLeft;
  bool m_stopping = false;
};

}  // namespace millrace
