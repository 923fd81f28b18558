// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/desktop_bus.h"

#include <algorithm>

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>

namespace millrace {

namespace {

const QString kNotifications = "org.freedesktop.Notifications";
const QString kNotificationsPath = "/org/freedesktop/Notifications";
constexpr const char* kProgram = "millrace-workbench";  ///< its icon and desktop file

/// libdbus would start a bus if there is none.
QDBusConnection sessionBusIfAny() {
  const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
  const bool isThere = qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
                       (!runtime.isEmpty() && QFile::exists(runtime + "/bus"));
  return isThere ? QDBusConnection::sessionBus() : QDBusConnection("millrace: no session bus");
}

}  // namespace

DesktopBus::DesktopBus(QObject* parent) : DesktopBus(sessionBusIfAny(), parent) {}

DesktopBus::DesktopBus(const QDBusConnection& bus, QObject* parent)
    : QObject(parent), m_bus(std::make_unique<QDBusConnection>(bus)) {
  listen();
}

DesktopBus::~DesktopBus() { showProgress(std::nullopt); }

void DesktopBus::listen() {
  if (!m_bus->isConnected()) return;
  m_bus->connect(kNotifications, kNotificationsPath, kNotifications, "ActionInvoked", this,
                 SLOT(takeAction(uint, QString)));
}

void DesktopBus::takeAction(uint id, const QString&) {
  if (id == m_shown && id != 0) emit clicked();
}

void DesktopBus::notify(const QString& title, const QString& text) {
  if (!m_bus->isConnected()) return;
  QDBusMessage call =
      QDBusMessage::createMethodCall(kNotifications, kNotificationsPath, kNotifications, "Notify");
  constexpr int kUsualTime = -1;
  // The text may hold markup, the title may not.
  call.setArguments({"Millrace", m_shown, kProgram, title, text.toHtmlEscaped(),
                     QStringList{"default", "Show"}, QVariantMap{{"desktop-entry", kProgram}},
                     kUsualTime});
  auto* answer = new QDBusPendingCallWatcher(m_bus->asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
    const QDBusPendingReply<uint> reply = *answer;
    if (reply.isValid()) m_shown = reply.value();
    answer->deleteLater();
  });
}

void DesktopBus::showProgress(std::optional<double> done) {
  std::optional<int> percent;
  if (done) percent = std::clamp(qRound(*done * 100), 0, 100);
  if (percent == m_percent || !m_bus->isConnected()) return;
  m_percent = percent;
  QDBusMessage update = QDBusMessage::createSignal("/org/millrace/Workbench",
                                                   "com.canonical.Unity.LauncherEntry", "Update");
  update.setArguments({QString("application://%1.desktop").arg(kProgram),
                       QVariantMap{{"progress", percent.value_or(0) / 100.0},
                                   {"progress-visible", percent.has_value()}}});
  m_bus->send(update);
}

}  // namespace millrace
