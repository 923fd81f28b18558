// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/loader_import.h"

#include <csignal>

#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>

#include "widgets/bridge/engine_program.h"

namespace millrace {

LoaderImport::LoaderImport(QObject* parent) : QObject(parent) {}

LoaderImport::~LoaderImport() {
  if (m_process == nullptr) return;
  m_process->disconnect(this);
  m_process->kill();
  m_process->waitForFinished(1000);
}

void LoaderImport::start(const LoaderImportRequest& request) {
  const QString program = m_program.isEmpty() ? engineProgram() : m_program;
  m_stopped = false;
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(program);
  m_process->setArguments({"import", request.file + ':' + request.name, "--python",
                           request.interpreter, "-o", request.output, "--json"});
  m_process->setWorkingDirectory(QFileInfo(request.file).path());
  connect(m_process.get(), &QProcess::finished, this, &LoaderImport::conclude);
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) conclude();
  });
  m_process->start();
}

void LoaderImport::stop() {
  if (m_process == nullptr || m_process->processId() == 0) return;
  m_stopped = true;
  ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
}

void LoaderImport::conclude() {
  QProcess* const process = m_process.release();
  process->disconnect(this);
  process->deleteLater();  // it may be its own signal that is being handled
  const QJsonObject result = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
  if (m_stopped) {
    emit ended({}, "Stopped.");
  } else if (process->error() == QProcess::FailedToStart) {
    emit ended({}, noEngineText());
  } else if (result.contains("parts")) {
    emit ended(result, {});
  } else if (process->exitStatus() == QProcess::CrashExit) {
    emit ended({}, "The import crashed: " + signalText(process->exitCode()) + '.');
  } else {
    QString words = result["error"].toString();
    if (words.isEmpty()) words = QString::fromUtf8(process->readAllStandardError()).trimmed();
    emit ended({}, words);
  }
}

QStringList loaderNames(const QString& python) {
  static const QRegularExpression kVariable(R"(^([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*=(?!=))");
  static const QRegularExpression kFunction(R"(^def\s+([A-Za-z_]\w*)\s*\(\s*\))");
  static const QRegularExpression kLikely("loader|dataset",
                                          QRegularExpression::CaseInsensitiveOption);
  QStringList likely;
  QStringList others;
  for (const QString& line : python.split('\n')) {
    QRegularExpressionMatch match = kVariable.match(line);
    if (!match.hasMatch()) match = kFunction.match(line);
    if (!match.hasMatch()) continue;
    const QString name = match.captured(1);
    if (likely.contains(name) || others.contains(name)) continue;
    (line.contains(kLikely) ? likely : others) << name;
  }
  return likely + others;
}

}  // namespace millrace
