// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace millrace::tests {

/// An ssh server on this machine for one test, run by this user: its own port, host key, user's key
/// and home. The alias `gpu1` of its client configuration reaches it; the others fail, each in one
/// way: `unknown-host`, `no-server`, `no-key`, `new-host`, `changed-host`. One thread.
class SshServer {
 public:
  /// Why the server cannot be used here; empty if it can.
  static QString missing();

  /// `options`: further lines of the server's configuration.
  bool start(const QByteArray& options = {});
  ~SshServer();

  /// Sets the variables by which `millrace --on` finds the configuration, and keeps shared
  /// connections in this server's folder.
  void setEnvironment() const;
  /// The home of the account there.
  QString home() const { return m_folder.filePath("home"); }
  /// Replaces the `millrace` there by a script, or removes it.
  void setProgram(const QByteArray& script);
  void removeProgram();
  /// The processes of `millrace` that run for this server's accounts.
  QList<pid_t> programs() const;
  /// Kills the processes that serve its connections.
  void cutConnections();

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  bool makeKey(const QString& name) const;
  void writeClientConfig() const;
  QByteArray hostLine(const QString& key) const;

  QTemporaryDir m_folder;
  QProcess m_server;
  quint16 m_port = 0;
};

}  // namespace millrace::tests
