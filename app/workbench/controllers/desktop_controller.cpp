// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/desktop_controller.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QWidget>

#include "core/events/stream/steady_seconds.h"

namespace millrace {

namespace {

constexpr const char* kNotifyKey = "notify";
constexpr int kSecondMs = 1000;

}  // namespace

DesktopController::DesktopController(QWidget& window, QSettings& settings, DesktopBus* bus)
    : QObject(&window),
      m_window(window),
      m_settings(settings),
      m_bus(bus),
      m_clock(steadySeconds),
      m_notify(new QAction("&Notify when long work ends", this)) {
  m_bus->setParent(this);
  connect(m_bus, &DesktopBus::clicked, this, &DesktopController::showWindow);
  m_notify->setObjectName("action_notify");
  m_notify->setCheckable(true);
  m_notify->setChecked(m_settings.value(kNotifyKey, true).toBool());
  m_notify->setToolTip(
      "Show a notification of the desktop when a run, sweep, tuning, diagnosis or comparison of "
      "more than 10 s ends while you are in another window");
  connect(m_notify, &QAction::toggled, this,
          [this](bool on) { m_settings.setValue(kNotifyKey, on); });
  m_second.setInterval(kSecondMs);
  connect(&m_second, &QTimer::timeout, this, &DesktopController::showProgress);
}

void DesktopController::fillMenu(QMenu& menu) { menu.addAction(m_notify); }

void DesktopController::add(LongJob job) { m_jobs.push_back({std::move(job), std::nullopt}); }

void DesktopController::refresh() {
  for (Watched& watched : m_jobs) {
    const bool isRunning = watched.job.isRunning();
    if (isRunning && !watched.began) watched.began = m_clock();
    if (isRunning || !watched.began) continue;
    finish(watched);
    watched.began.reset();
  }
  showProgress();
}

void DesktopController::finish(const Watched& job) {
  if (m_clock() - *job.began <= kLongSeconds || QApplication::activeWindow() != nullptr) return;
  const std::optional<LongJob::End> end = job.job.end();
  if (!end || !m_notify->isChecked()) return;
  // Desktops without notifications mark the window in the task bar.
  QApplication::alert(&m_window);
  m_bus->notify(end->title, end->text);
}

void DesktopController::showProgress() {
  bool isRunning = false;
  std::optional<double> done;
  for (const Watched& watched : m_jobs) {
    if (!watched.began) continue;
    isRunning = true;
    if (!done) done = watched.job.progress();
  }
  m_bus->showProgress(done);
  if (!isRunning) m_second.stop();
  if (isRunning && !m_second.isActive()) m_second.start();
}

void DesktopController::showWindow() {
  m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
  m_window.show();
  m_window.raise();
  m_window.activateWindow();
}

}  // namespace millrace
