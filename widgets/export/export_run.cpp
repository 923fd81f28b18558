// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_run.h"

#include <QFile>
#include <QTemporaryDir>

namespace millrace {

QStringList exportRunArguments(const ExportRunRequest& request, const QString& path) {
  QStringList words{
      "loader",    path + ':' + request.entry, "--python", request.interpreter, "--json", "--name",
      request.name};
  if (!request.store.isEmpty()) words << "--store" << request.store;
  return words;
}

ExportRun::ExportRun(QObject* parent) : QObject(parent) {
  connect(&m_command, &EngineCommand::ended, this, &ExportRun::conclude);
}

// QTemporaryDir is complete here.
ExportRun::~ExportRun() = default;

void ExportRun::refuse(const QString& why) {
  QMetaObject::invokeMethod(this, [this, why] { emit ended(0, why); }, Qt::QueuedConnection);
}

void ExportRun::start(const ExportRunRequest& request) {
  m_folder = std::make_unique<QTemporaryDir>();
  QFile file(m_folder->filePath(request.file));
  const auto size = static_cast<qint64>(request.code.size());
  if (!m_folder->isValid() || !file.open(QIODevice::WriteOnly) ||
      file.write(request.code.data(), size) != size || !file.flush())
    return refuse("The code cannot be written to a temporary folder: " + file.errorString() + '.');
  file.close();
  m_command.start(exportRunArguments(request, file.fileName()));
}

void ExportRun::conclude(const CommandEnd& end) {
  m_folder.reset();
  const double rate = end.printed["samples_per_second"].toObject()["mean"].toDouble();
  if (end.succeeded && rate > 0) return void(emit ended(rate, {}));
  emit ended(0, end.words);
}

}  // namespace millrace
