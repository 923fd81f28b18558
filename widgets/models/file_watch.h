// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QFileSystemWatcher>
#include <QTimer>

namespace millrace {

class Document;

/// Tells when a document's file was changed or removed by another program. Bytes are compared, so
/// that touching it, or our own saving, is no change. GUI thread; reads the file there, as opening
/// it did.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  enum class State { Same, Changed, Gone };

  explicit FileWatch(Document& document);

  State state() const { return m_state; }
  /// Looks now, where the file system does not tell (network folders).
  void look();
  /// What is there now is known: nothing is said until it changes again.
  void accept();

 signals:
  void changed();

 private:
  std::optional<QByteArray> fingerprint() const;
  void follow();
  void set(State state);

  Document& m_document;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  std::optional<QByteArray> m_known;
  State m_state = State::Same;
};

}  // namespace millrace
