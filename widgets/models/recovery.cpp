// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/recovery.h"

#include <csignal>

#include <unistd.h>

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include "widgets/models/document.h"

namespace millrace {

namespace {

constexpr int kDelayMs = 3000;

bool isAlive(qint64 process) {
  return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

}  // namespace

QString Recovery::defaultFolder() {
  QString state = qEnvironmentVariable("XDG_STATE_HOME");
  if (!QDir::isAbsolutePath(state)) state = QDir::homePath() + "/.local/state";
  return state + "/millrace/recovery";
}

Recovery::Recovery(Document& document, QString folder)
    : QObject(&document), m_document(document), m_folder(std::move(folder)) {
  static int count = 0;
  m_file = QString("%1/%2-%3.json").arg(m_folder).arg(::getpid()).arg(++count);
  m_timer.setSingleShot(true);
  m_timer.setInterval(kDelayMs);
  connect(&m_timer, &QTimer::timeout, this, &Recovery::writeNow);
  connect(&document, &Document::changed, this, &Recovery::documentChanged);
  connect(&document, &Document::stateChanged, this, &Recovery::documentChanged);
}

Recovery::~Recovery() { QFile::remove(m_file); }

void Recovery::documentChanged() {
  if (!m_document.isModified()) {
    m_timer.stop();
    QFile::remove(m_file);
  } else if (!m_timer.isActive()) {
    m_timer.start();
  }
}

void Recovery::writeNow() {
  if (!m_document.isModified()) return;
  QDir().mkpath(m_folder);
  QSaveFile file(m_file);
  if (!file.open(QIODevice::WriteOnly)) return;  // Saving itself will tell about a full disk.
  const QJsonObject kept{{"process", static_cast<qint64>(::getpid())},
                         {"file", m_document.filePath()},
                         {"title", m_document.title()},
                         {"text", QString::fromStdString(m_document.text())}};
  file.write(QJsonDocument(kept).toJson());
  file.commit();
}

std::vector<RecoveredDocument> Recovery::leftBehind(const QString& folder) {
  std::vector<RecoveredDocument> left;
  for (const QFileInfo& info : QDir(folder).entryInfoList({"*.json"}, QDir::Files, QDir::Time)) {
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QJsonObject kept = QJsonDocument::fromJson(file.readAll()).object();
    if (kept["text"].toString().isEmpty() || isAlive(kept["process"].toInteger())) continue;
    left.push_back({info.filePath(), kept["file"].toString(), kept["title"].toString(),
                    kept["text"].toString().toStdString()});
  }
  return left;
}

}  // namespace millrace
