// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/ssh_server.h"

#include <arpa/inet.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include <QDir>
#include <QFile>
#include <QtTest>

#include "tests/support/places.h"

namespace millrace::tests {

namespace {

constexpr const char* kSshServer = "/usr/sbin/sshd";
constexpr int kServerStartMs = 30'000;

void writeBytes(const QString& path, const QByteArray& content) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(content);
}

QByteArray bytesAt(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Binds or connects; returns the port, or 0.
quint16 atLoopback(quint16 port, bool listens) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  const int done = listens ? ::bind(socket, any, length) : ::connect(socket, any, length);
  if (done == 0 && listens) ::getsockname(socket, any, &length);
  ::close(socket);
  return done == 0 ? ntohs(address.sin_port) : 0;
}

QByteArray userName() {
  const passwd* entry = ::getpwuid(::getuid());
  return entry != nullptr ? entry->pw_name : "";
}

/// The numbers of all processes.
QList<pid_t> allProcesses() {
  QList<pid_t> all;
  for (const QString& name : QDir("/proc").entryList(QDir::Dirs))
    if (const int number = name.toInt(); number > 0) all.push_back(number);
  return all;
}

}  // namespace

QString SshServer::missing() {
  if (!QFile::exists(kSshServer)) return "there is no sshd: install openssh-server";
  // As root, sshd leaves its rights in this folder.
  if (::geteuid() == 0 && ::mkdir("/run/sshd", 0755) != 0 && errno != EEXIST)
    return "/run/sshd cannot be made";
  return {};
}

bool SshServer::makeKey(const QString& name) const {
  return QProcess::execute("ssh-keygen",
                           {"-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path(name)}) == 0;
}

QByteArray SshServer::hostLine(const QString& key) const {
  const QList<QByteArray> words = bytesAt(path(key + ".pub")).split(' ');
  return QString("[127.0.0.1]:%1 ").arg(m_port).toUtf8() + words[0] + ' ' + words[1] + '\n';
}

void SshServer::writeClientConfig() const {
  QByteArray text;
  const auto add = [&](const char* alias, const QString& host, int port, const char* key,
                       const char* hosts) {
    text += QString(
                "Host %1\n  HostName %2\n  Port %3\n  User %4\n  IdentityFile %5\n"
                "  IdentitiesOnly yes\n  UserKnownHostsFile %6\n  GlobalKnownHostsFile none\n")
                .arg(alias, host)
                .arg(port)
                .arg(QString(userName()), path(key), path(hosts))
                .toUtf8();
  };
  add("gpu1", "127.0.0.1", m_port, "user", "known");
  add("unknown-host", "nowhere.invalid", m_port, "user", "known");
  add("no-server", "127.0.0.1", atLoopback(0, true), "user", "known");
  add("no-key", "127.0.0.1", m_port, "other", "known");
  add("new-host", "127.0.0.1", m_port, "user", "none");
  add("changed-host", "127.0.0.1", m_port, "user", "changed");
  writeBytes(path("ssh_config"), text);
}

bool SshServer::start(const QByteArray& options) {
  for (const char* folder : {"home", "bin", "run"}) QDir(m_folder.path()).mkdir(folder);
  if (!makeKey("host") || !makeKey("user") || !makeKey("other")) return false;
  m_port = atLoopback(0, true);
  writeBytes(path("accepted"), bytesAt(path("user.pub")));
  writeBytes(path("known"), hostLine("host"));
  writeBytes(path("changed"), hostLine("other"));
  writeBytes(path("none"), {});
  writeClientConfig();
  setProgram("exec '" + QByteArray(kMillrace) + "' \"$@\"");
  writeBytes(path("sshd_config"),
             QString("Port %1\nListenAddress 127.0.0.1\nHostKey %2/host\nPidFile none\n"
                     "AuthorizedKeysFile %2/accepted\nStrictModes no\nUsePAM no\n"
                     "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
                     "PermitRootLogin yes\nSetEnv PATH=%2/bin:/usr/bin:/bin HOME=%2/home "
                     "XDG_CACHE_HOME=%2/home/cache XDG_DATA_HOME=%2/home/data\n")
                     .arg(m_port)
                     .arg(m_folder.path())
                     .toUtf8() +
                 options);
  m_server.start(kSshServer, {"-D", "-e", "-f", path("sshd_config")});
  return QTest::qWaitFor([&] { return atLoopback(m_port, false) != 0; }, kServerStartMs);
}

SshServer::~SshServer() {
  if (m_server.state() == QProcess::NotRunning) return;
  cutConnections();
  m_server.kill();
  m_server.waitForFinished();
}

void SshServer::setEnvironment() const {
  qputenv("MILLRACE_SSH_CONFIG", path("ssh_config").toUtf8());
  qputenv("XDG_RUNTIME_DIR", path("run").toUtf8());
}

void SshServer::setProgram(const QByteArray& script) {
  const QString file = path("bin/millrace");
  writeBytes(file, "#!/bin/sh\n" + script + '\n');
  QFile::setPermissions(file, QFile::permissions(file) | QFile::ExeOwner);
}

void SshServer::removeProgram() { QFile::remove(path("bin/millrace")); }

QList<pid_t> SshServer::programs() const {
  QList<pid_t> all;
  const QByteArray here = "HOME=" + home().toUtf8();
  for (const pid_t process : allProcesses()) {
    const QString folder = QString("/proc/%1/").arg(process);
    if (bytesAt(folder + "environ").split('\0').contains(here) &&
        bytesAt(folder + "cmdline").contains("millrace"))
      all.push_back(process);
  }
  return all;
}

void SshServer::cutConnections() {
  // Their parents are the server, or with split rights a child of it.
  QList<pid_t> family = {static_cast<pid_t>(m_server.processId())};
  for (int i = 0; i < family.size(); ++i)
    for (const pid_t process : allProcesses()) {
      const QByteArray stat = bytesAt(QString("/proc/%1/stat").arg(process));
      const QList<QByteArray> words = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
      const bool serves = stat.contains("(sshd");
      if (serves && words.size() > 1 && words[1].toInt() == family[i]) family.push_back(process);
    }
  for (int i = 1; i < family.size(); ++i) ::kill(family[i], SIGKILL);
}

}  // namespace millrace::tests
