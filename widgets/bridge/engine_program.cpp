// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/engine_program.h"

#include <csignal>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"

namespace millrace {

QString engineProgram() {
  const QDir here(QCoreApplication::applicationDirPath());
  for (const char* place : {"millrace", "../cli/millrace", "../app/cli/millrace"}) {
    const QFileInfo file(here.filePath(place));
    if (file.isFile() && file.isExecutable()) return file.canonicalFilePath();
  }
  return QStandardPaths::findExecutable("millrace");
}

QString noEngineText() {
  return "The engine, the program millrace, is missing: it is neither next to the workbench nor on "
         "the PATH. Install both from one package.";
}

QString signalText(int signal) {
  const auto words = [signal]() -> QString {
    switch (signal) {
      case SIGSEGV:
      case SIGBUS: return "a memory access fault";
      case SIGABRT: return "a failed internal check";
      case SIGILL: return "an instruction that this processor lacks";
      case SIGFPE: return "an arithmetic fault";
      case SIGKILL:
      case SIGTERM:
      case SIGINT: return "another program";
      default: return "a signal";
    }
  };
  return QString("%1 (signal %2)").arg(words()).arg(signal);
}

void keepLastOutput(QByteArray& words, QProcess& process) {
  constexpr qsizetype kBytesKept = 4096;
  words = (words + process.readAllStandardError()).right(kBytesKept);
}

QString lastLinesOf(const QByteArray& words) {
  constexpr qsizetype kLines = 3;
  constexpr qsizetype kLetters = 400;
  QStringList lines;
  for (const QByteArray& line : words.split('\n'))
    if (!line.trimmed().isEmpty())
      lines << toQt(singleLine({line.constData(), static_cast<std::size_t>(line.size())}));
  return lines.mid(std::max<qsizetype>(0, lines.size() - kLines)).join('\n').right(kLetters);
}

namespace {

/// The number after `key` at the start of a line.
std::optional<quint64> counter(const QString& name, const QByteArray& key) {
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (line.startsWith(key + ' ')) return line.mid(key.size() + 1).trimmed().toULongLong();
  return std::nullopt;
}

}  // namespace

std::optional<quint64> outOfMemoryKills() {
  const auto machine = counter("/proc/vmstat", "oom_kill");
  const auto group = counter("/sys/fs/cgroup/memory.events", "oom_kill");
  if (!machine && !group) return std::nullopt;
  return machine.value_or(0) + group.value_or(0);
}

}  // namespace millrace
