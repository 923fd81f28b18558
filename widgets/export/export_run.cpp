// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_run.h"

#include <csignal>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include "widgets/bridge/engine_program.h"

namespace millrace {

QStringList exportRunArguments(const ExportRunRequest& request, const QString& path) {
  QStringList words{
      "loader",    path + ':' + request.entry, "--python", request.interpreter, "--json", "--name",
      request.name};
  if (!request.store.isEmpty()) words << "--store" << request.store;
  return words;
}

ExportRun::ExportRun(QObject* parent) : QObject(parent) {}

ExportRun::~ExportRun() {
  if (m_process == nullptr) return;
  m_process->disconnect(this);
  // The guard of the user's interpreter ends it when its standard input ends.
  m_process->kill();
  m_process->waitForFinished(1000);
}

void ExportRun::refuse(const QString& why) {
  QMetaObject::invokeMethod(this, [this, why] { emit ended(0, why); }, Qt::QueuedConnection);
}

void ExportRun::start(const ExportRunRequest& request) {
  m_stopped = false;
  m_folder = std::make_unique<QTemporaryDir>();
  QFile file(m_folder->filePath(request.file));
  const auto size = static_cast<qint64>(request.code.size());
  if (!m_folder->isValid() || !file.open(QIODevice::WriteOnly) ||
      file.write(request.code.data(), size) != size || !file.flush())
    return refuse("The code cannot be written to a temporary folder: " + file.errorString() + '.');
  file.close();
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program.isEmpty() ? engineProgram() : m_program);
  m_process->setArguments(exportRunArguments(request, file.fileName()));
  connect(m_process.get(), &QProcess::finished, this, &ExportRun::conclude);
  connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) conclude();
  });
  m_process->start();
}

void ExportRun::stop() {
  if (m_process == nullptr || m_process->processId() == 0) return;
  m_stopped = true;
  ::kill(static_cast<pid_t>(m_process->processId()), SIGINT);
}

void ExportRun::conclude() {
  QProcess* const process = m_process.release();
  process->disconnect(this);
  process->deleteLater();  // it may be its own signal that is being handled
  m_folder.reset();
  const QJsonObject result = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
  const double rate = result["samples_per_second"].toObject()["mean"].toDouble();
  if (m_stopped) return void(emit ended(0, "Stopped."));
  if (process->error() == QProcess::FailedToStart) return void(emit ended(0, noEngineText()));
  if (process->exitStatus() == QProcess::CrashExit)
    return void(emit ended(0, "The run crashed: " + signalText(process->exitCode()) + '.'));
  if (process->exitCode() == 0 && rate > 0) return void(emit ended(rate, {}));
  emit ended(0, QString::fromUtf8(process->readAllStandardError()).trimmed());
}

}  // namespace millrace
