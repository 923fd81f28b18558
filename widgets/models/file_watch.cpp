// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include "widgets/bridge/file_work.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

/// Waits for the end of a write, since other programs write in several steps.
constexpr int kWritingEndsMs = 150;

QByteArray fingerprint(const QString& path) {
  QFile file(path);
  // Only a regular file: opening a pipe would wait for its other end.
  if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly)) return {};
  return Document::fingerprintOf(file.readAll().toStdString());
}

}  // namespace

FileWatch::FileWatch(Document& document) : m_document(document) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kWritingEndsMs);
  const auto later = [this] { m_delay.start(); };
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
  connect(&m_delay, &QTimer::timeout, this, &FileWatch::check);
  connect(&document, &Document::replaced, this, &FileWatch::begin);
  connect(&document, &Document::saved, this, &FileWatch::begin);
  begin();
}

/// Starts from the document's fingerprint; the file may have changed again since.
void FileWatch::begin() {
  m_known = m_document.fileFingerprint();
  m_accepting = m_known.isEmpty();
  set(State::Same);
  check();
}

/// Watches the file and its folder by name, which may block, so call it only after the file system
/// has just responded. Returns whether anything new is watched.
bool FileWatch::follow() {
  const QString file = m_document.filePath();
  // A file that was replaced by another one of its name has lost its watch; the folder's watch
  // reports that.
  const QStringList wanted =
      file.isEmpty() ? QStringList() : QStringList{file, QFileInfo(file).absolutePath()};
  const QStringList watched = m_watcher.files() + m_watcher.directories();
  for (const QString& path : watched)
    if (!wanted.contains(path)) m_watcher.removePath(path);
  bool isNew = false;
  for (const QString& path : wanted)
    if (!watched.contains(path) && QFileInfo::exists(path)) isNew |= m_watcher.addPath(path);
  return isNew;
}

void FileWatch::set(State state) {
  if (state == m_state) return;
  m_state = state;
  emit changed();
}

void FileWatch::accept() {
  m_accepting = true;
  set(State::Same);
  check();
}

void FileWatch::check() {
  const QString path = m_document.filePath();
  // Only one read at a time: a folder that does not respond would otherwise cost a thread for each
  // check.
  m_checkAgain = !path.isEmpty() && m_asked == path;
  if (m_checkAgain) return;
  m_asked = path;
  if (path.isEmpty()) {
    follow();
    return;
  }
  doFileWork(*this, [this, path] {
    const QByteArray now = fingerprint(path);
    return [this, path, now] { take(path, now); };
  });
}

void FileWatch::take(const QString& path, const QByteArray& now) {
  if (path != m_asked) return;  // The document has another file now.
  m_asked.clear();
  if (m_checkAgain) return check();
  // A change made before the watch began is found by another check.
  if (follow()) return check();
  if (m_accepting) m_known = now;
  m_accepting = false;
  if (!m_known.isEmpty())
    set(now.isEmpty() ? State::Gone : now == m_known ? State::Same : State::Changed);
  emit checked();
}

}  // namespace millrace
