// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/recovery.h"

#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include "core/store/liveness.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

constexpr int kWriteDelayMs = 3000;

WriterId writerOf(const QJsonObject& kept) {
  return {fromQt(kept["boot"].toString()), fromQt(kept["namespace"].toString()),
          kept["process"].toInteger(), kept["started"].toInteger()};
}

/// The process id alone is not enough: the kernel reuses it, and then the copy would never be
/// offered.
bool isHeld(const QJsonObject& kept, const QFileInfo& file) {
  using std::chrono::milliseconds;
  const WallTime written{milliseconds(file.lastModified().toMSecsSinceEpoch())};
  const WallTime now{milliseconds(QDateTime::currentMSecsSinceEpoch())};
  return isAlive(writerOf(kept), written, thisWriter(), now);
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
  m_timer.setInterval(kWriteDelayMs);
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
  if (!file.open(QIODevice::WriteOnly)) return;  // A full disk is reported when saving.
  const WriterId self = thisWriter();
  const QJsonObject kept{{"process", static_cast<qint64>(self.pid)},
                         {"started", static_cast<qint64>(self.startTicks)},
                         {"boot", toQt(self.bootId)},
                         {"namespace", toQt(self.pidNamespace)},
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
    if (kept["text"].toString().isEmpty() || isHeld(kept, info)) continue;
    left.push_back({info.filePath(), kept["file"].toString(), kept["title"].toString(),
                    kept["text"].toString().toStdString()});
  }
  return left;
}

}  // namespace millrace
