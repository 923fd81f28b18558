// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <QObject>
#include <QTimer>

#include "widgets/bridge/engine_child.h"
#include "widgets/models/run_settings.h"

namespace millrace {

/// A run to be started.
struct RunOrder {
  std::string pipeline;        ///< the document as saving writes it, saved or not
  QString title;               ///< what the run's record calls it, such as its file name
  std::filesystem::path base;  ///< where relative paths start
  MeasureChoice measure;
  bool keep = true;
  QString store;          ///< another store than the person's own
  QStringList moreFlags;  ///< of `millrace run`
};

/// `millrace run --events` as a child: the workbench runs nothing inside itself. Starts one run at
/// a time, tells its events, and says in one sentence whatever ends it. The event loop never waits
/// for the child. GUI thread.
class RunProcess : public QObject {
  Q_OBJECT
 public:
  /// Times after which the child is helped along, in milliseconds.
  struct Patience {
    int stopMs = 600;      ///< a stop request, then SIGTERM
    int killMs = 350;      ///< SIGTERM, then SIGKILL: idle within a second in any case
    int silenceMs = 5000;  ///< without an event, before `silent` says so
  };

  explicit RunProcess(QObject* parent = nullptr);

  /// Another program than engineProgram(), such as a launcher of a run on another machine.
  void setProgram(const QString& program) { m_child.setProgram(program); }
  void setPatience(const Patience& patience);
  /// In place of outOfMemoryKills().
  using KillCounter = std::function<std::optional<quint64>()>;
  void setKillCounter(KillCounter counter) { m_killCounter = std::move(counter); }

  /// Only while none is running. What goes wrong is told by `ended`, later.
  void start(const RunOrder& order);
  /// Asks the run to stop; a child that does not is ended.
  void stop() { m_child.stop(); }
  /// Sets a live parameter of the run; the answer comes as an event.
  void set(const QString& node, const QString& param, const QString& value);

  bool isRunning() const { return m_child.isRunning(); }
  bool isStopping() const { return m_child.isStopping(); }
  qint64 processId() const { return m_child.processId(); }
  /// The command line of a run of a file, for a person to copy.
  static QString commandOf(const QString& file, const MeasureChoice& measure);

 signals:
  void told(const millrace::StreamEvent& event);
  /// The child says nothing; empty: it speaks again.
  void silent(const QString& sentence);
  void ended(const millrace::ChildEnd& end);

 private:
  QStringList argumentsOf(const RunOrder& order, const QString& file) const;
  void note(const StreamEvent& event);
  void conclude(const ChildLeave& leave);
  QString crashSentence(int signal) const;
  QString exitSentence(const ChildLeave& leave) const;

  EngineChild m_child;
  Patience m_patience;
  KillCounter m_killCounter;
  QTimer m_silence;
  std::optional<quint64> m_killsBefore;
  std::optional<ResultEvent> m_result;
  std::optional<std::uint64_t> m_rssBytes;
  bool m_isSilent = false;
};

}  // namespace millrace
