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
#include "widgets/models/live/run_settings.h"

namespace millrace {

/// A request to start a run.
struct RunOrder {
  std::string pipeline;        ///< the document as saving writes it, saved or not
  QString title;               ///< its name in the run's record, such as the file name
  std::filesystem::path base;  ///< where relative paths start
  MeasureChoice measure;
  bool keep = true;
  QString store;          ///< another store than the user's own
  QStringList moreFlags;  ///< further flags of `millrace run`
};

/// Runs `millrace run --events` as a child: the workbench runs no pipeline inside itself. It starts
/// one run at a time, passes on its events, and reports every failure in one sentence. The event
/// loop never waits for the child. GUI thread.
class RunProcess : public QObject {
  Q_OBJECT
 public:
  /// Time limits of a child, in milliseconds.
  struct Patience {
    int stopMs = 600;      ///< from a stop request to SIGTERM
    int killMs = 350;      ///< from SIGTERM to SIGKILL: idle within a second in any case
    int silenceMs = 5000;  ///< without an event, until `silent` is emitted
  };

  explicit RunProcess(QObject* parent = nullptr);

  /// Sets another program than engineProgram(), such as one that launches runs on another machine.
  void setProgram(const QString& program) { m_child.setProgram(program); }
  void setPatience(const Patience& patience);
  /// Replaces outOfMemoryKills().
  using KillCounter = std::function<std::optional<quint64>()>;
  void setKillCounter(KillCounter counter) { m_killCounter = std::move(counter); }

  /// Call only while no run is active. Failures are reported later, by `ended`.
  void start(const RunOrder& order);
  /// Asks the run to stop; a child that does not is killed.
  void stop() { m_child.stop(); }
  /// Sets a live parameter of the run; the answer comes as an event.
  void set(const QString& node, const QString& param, const QString& value);

  bool isRunning() const { return m_child.isRunning(); }
  bool isStopping() const { return m_child.isStopping(); }
  qint64 processId() const { return m_child.processId(); }
  /// The command line that runs a file, for the user to copy.
  static QString commandOf(const QString& file, const MeasureChoice& measure);

 signals:
  void eventReceived(const millrace::StreamEvent& event);
  /// The child has been silent for too long; an empty sentence: it is sending events again.
  void silent(const QString& sentence);
  void ended(const millrace::ChildEnd& end);

 private:
  QStringList argumentsOf(const RunOrder& order, const QString& file) const;
  void note(const StreamEvent& event);
  void conclude(const ChildExit& exit);
  QString crashSentence(int signal) const;
  QString notKeptSentence(const ChildExit& exit) const;
  bool isOnlyNotKept(const ChildEnd& end) const;
  QString exitSentence(const ChildExit& exit) const;
  /// Whether an event says why the run ended.
  bool isExplained(const ChildExit& exit) const;

  EngineChild m_child;
  Patience m_patience;
  KillCounter m_killCounter;
  QTimer m_silence;
  std::optional<quint64> m_killsBefore;
  std::optional<ResultEvent> m_result;
  std::optional<std::uint64_t> m_rssBytes;
  bool m_isSilent = false;
  bool m_keeps = true;  ///< the run is to be kept
};

}  // namespace millrace
