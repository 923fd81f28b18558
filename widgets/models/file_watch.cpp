// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/file_watch.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include "widgets/models/document.h"

namespace millrace {

namespace {

/// Other programs write in several steps.
constexpr int kWritingEndsMs = 150;

}  // namespace

FileWatch::FileWatch(Document& document) : m_document(document) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kWritingEndsMs);
  const auto later = [this] { m_delay.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
  connect(&m_delay, &QTimer::timeout, this, &FileWatch::look);
  connect(&document, &Document::replaced, this, &FileWatch::accept);
  connect(&document, &Document::saved, this, &FileWatch::accept);
  accept();
}

std::optional<QByteArray> FileWatch::fingerprint() const {
  QFile file(m_document.filePath());
  // Whatever stands there now: to open a pipe would be to wait for its other end.
  if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)) return std::nullopt;
  QCryptographicHash hash(QCryptographicHash::Sha1);
  hash.addData(&file);
  return hash.result();
}

void FileWatch::follow() {
  const QString file = m_document.filePath();
  // A file that was replaced by another of its name has lost its watch; the folder tells of that.
  const QStringList wanted =
      file.isEmpty() ? QStringList() : QStringList{file, QFileInfo(file).absolutePath()};
  const QStringList watched = m_watcher.files() + m_watcher.directories();
  for (const QString& path : watched)
    if (!wanted.contains(path)) m_watcher.removePath(path);
  for (const QString& path : wanted)
    if (!watched.contains(path) && QFileInfo::exists(path)) m_watcher.addPath(path);
}

void FileWatch::set(State state) {
  if (state == m_state) return;
  m_state = state;
  emit changed();
}

void FileWatch::accept() {
  follow();
  m_known = fingerprint();
  set(State::Same);
}

void FileWatch::look() {
  follow();
  if (m_document.filePath().isEmpty() || !m_known) return;
  const auto now = fingerprint();
  if (!now)
    set(State::Gone);
  else
    set(*now == *m_known ? State::Same : State::Changed);
}

}  // namespace millrace
