// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>

namespace millrace {

class Document;

/// Tells when a document's file was changed or removed by another program. Bytes are compared, so
/// that touching it, or our own saving, is no change. GUI thread; the file is read on another one,
/// since its folder may have ceased to answer.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  enum class State { Same, Changed, Gone };

  explicit FileWatch(Document& document);

  State state() const { return m_state; }
  /// Whether an answer of the file system is still to come.
  bool isLooking() const { return !m_asked.isEmpty(); }
  /// Looks now, where the file system does not tell (network folders); `looked` follows.
  void look();
  /// What is there now is known: nothing is said until it changes again. `looked` follows.
  void accept();

 signals:
  void changed();
  void looked();

 private:
  void begin();
  void take(const QString& path, const QByteArray& now);
  bool follow();
  void set(State state);

  Document& m_document;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  QByteArray m_known;  ///< empty: nothing is
  State m_state = State::Same;
  QString m_asked;           ///< the file that is being read; empty: none
  bool m_lookAgain = false;  ///< what is being read is out of date
  bool m_accepting = true;   ///< what is found next is known
};

}  // namespace millrace
