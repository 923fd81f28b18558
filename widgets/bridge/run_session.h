// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bridge/run_process.h"
#include "widgets/models/live/live_run.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

/// One run at a time and what is known of it: the child, and the model that its events feed. Views
/// read `run()` when `ticked` is emitted, at most five times a second. GUI thread.
class RunSession : public QObject {
  Q_OBJECT
 public:
  static constexpr int kTickMs = 200;

  explicit RunSession(QObject* parent = nullptr);

  /// Call only while no run is active.
  void start(const RunOrder& order, NodeNames names);
  void stop() { m_process.stop(); }
  bool isRunning() const { return m_process.isRunning(); }
  bool isStopping() const { return m_process.isStopping(); }

  const LiveRun& run() const { return m_run; }
  /// The overlay at the last tick.
  const RunOverlay& overlay() const { return m_overlay; }
  /// A complaint about a silent child; empty if there is none.
  const QString& silence() const { return m_silence; }
  RunProcess& process() { return m_process; }

 signals:
  /// There is something new to show.
  void ticked();
  /// A run began or ended; `ticked` comes before.
  void stateChanged();

 private:
  void tick();

  RunProcess m_process;
  LiveRun m_run;
  RunOverlay m_overlay;
  QString m_silence;
  QTimer m_tick;
  bool m_news = false;
};

}  // namespace millrace
