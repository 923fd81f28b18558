// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QTimer>

#include "widgets/bridge/desktop_bus.h"

class QAction;
class QMenu;
class QSettings;
class QWidget;

namespace millrace {

/// A kind of long work, of which at most one goes on.
struct LongJob {
  /// How it ended, in plain text.
  struct End {
    QString title;
    QString text;
  };
  std::function<bool()> isRunning;
  /// From 0 to 1; nullopt if it is not known.
  std::function<std::optional<double>()> progress;
  /// Of the last one; nullopt if the user stopped it.
  std::function<std::optional<End>()> end;
};

/// Long work on the user's desktop: its progress on the task bar, and a notification at its end
/// unless the window is active. GUI thread.
class DesktopController : public QObject {
  Q_OBJECT
 public:
  static constexpr double kLongSeconds = 10;

  /// The first two must outlive the controller, which owns `bus`.
  DesktopController(QWidget& window, QSettings& settings, DesktopBus* bus);

  /// Another clock, in seconds; for tests.
  void setClock(std::function<double()> clock) { m_clock = std::move(clock); }

  void fillMenu(QMenu& menu);
  void add(LongJob job);
  /// Call when a job began or ended.
  void refresh();

 private:
  struct Watched {
    LongJob job;
    std::optional<double> began;
  };
  void finish(const Watched& job);
  void showProgress();
  void showWindow();

  QWidget& m_window;
  QSettings& m_settings;
  DesktopBus* m_bus;
  std::function<double()> m_clock;
  QAction* m_notify;
  std::vector<Watched> m_jobs;
  QTimer m_second;
};

}  // namespace millrace
