// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/engine_command.h"

#include <csignal>
#include <utility>

#include <QJsonDocument>
#include <QProcess>

#include "widgets/bridge/engine_program.h"

namespace millrace {

namespace {

/// Settings that are fields of the dialogs which start commands.
constexpr std::pair<const char*, const char*> kFields[] = {{"python", "Interpreter"}};

/// Why a command failed, with fields where it names settings.
QString whyFailed(const QJsonObject& printed, const QString& message) {
  constexpr auto kHead = QLatin1String("error: ");
  QString words = printed["error_in_settings"].toString();
  if (words.isEmpty()) words = message.startsWith(kHead) ? message.mid(kHead.size()) : message;
  for (const auto& [setting, field] : kFields)
    words.replace(QString("the setting `%1`").arg(setting), QString("the field %1").arg(field));
  return words;
}

}  // namespace

EngineCommand::EngineCommand(QString name, QObject* parent)
    : QObject(parent), m_name(std::move(name)) {}

EngineCommand::~EngineCommand() {
  if (m_process == nullptr) return;
  m_process->disconnect(this);
  // The guard of the user's interpreter ends it when its standard input ends.
  m_process->kill();
  m_process->waitForFinished(1000);
}

void EngineCommand::start(const QStringList& arguments, const QString& folder) {
  m_stopped = false;
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program.isEmpty() ? engineProgram() : m_program);
  m_process->setArguments(arguments);
  m_process->setWorkingDirectory(folder);
  connect(m_process.get(), &QProcess::finished, this, &EngineCommand::conclude);
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) conclude();
  });
  m_process->start();
}

void EngineCommand::stop() {
  if (m_process == nullptr || m_process->processId() == 0) return;
  m_stopped = true;
  ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
}

void EngineCommand::conclude() {
  QProcess* const process = m_process.release();
  process->disconnect(this);
  process->deleteLater();  // it may be its own signal that is being handled
  CommandEnd end;
  if (m_stopped) {
    end.words = "Stopped.";
  } else if (process->error() == QProcess::FailedToStart) {
    end.words = noEngineText();
  } else {
    const bool crashed = process->exitStatus() == QProcess::CrashExit;
    end.printed = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
    end.succeeded = !crashed && process->exitCode() == 0;
    end.words = crashed ? m_name + " crashed: " + signalText(process->exitCode()) + '.'
                        : whyFailed(end.printed,
                                    QString::fromUtf8(process->readAllStandardError()).trimmed());
  }
  emit ended(end);
}

}  // namespace millrace
