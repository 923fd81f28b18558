// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QObject>

class QDBusConnection;

namespace millrace {

/// Tells the user's desktop about long work: notifications (freedesktop.org, Desktop Notifications
/// 1.2) and progress on the program's icon (com.canonical.Unity.LauncherEntry, which most docks and
/// task bars show). Without a session bus, or if no program shows them, nothing happens. GUI
/// thread, which does not wait for an answer.
class DesktopBus : public QObject {
  Q_OBJECT
 public:
  /// Uses the user's session bus.
  explicit DesktopBus(QObject* parent = nullptr);
  DesktopBus(const QDBusConnection& bus, QObject* parent);
  ~DesktopBus() override;

  /// A new notification replaces the last one. Both texts are plain.
  void notify(const QString& title, const QString& text);
  /// From 0 to 1; nullopt removes the progress.
  void showProgress(std::optional<double> done);

 signals:
  /// The user clicked the notification.
  void clicked();

 private slots:
  void takeAction(uint id, const QString& action);

 private:
  void listen();

  std::unique_ptr<QDBusConnection> m_bus;
  uint m_shown = 0;              ///< the notification's number; 0: none yet
  std::optional<int> m_percent;  ///< as shown on the icon
};

}  // namespace millrace
