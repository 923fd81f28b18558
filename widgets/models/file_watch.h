// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QTimer>

namespace millrace {

class Document;

/// Reports that another program has changed or removed a document's file. Bytes are compared, so
/// touching the file or saving it here is not a change. GUI thread; the file is read on another
/// thread, because its folder may not respond.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  enum class State { Same, Changed, Gone };

  explicit FileWatch(Document& document);

  State state() const { return m_state; }
  /// Whether an answer of the file system is pending.
  bool isChecking() const { return !m_asked.isEmpty(); }
  /// Checks now, for file systems that send no notifications (network folders); `checked` follows.
  void check();
  /// Accepts the present state: nothing is reported until the file changes again. `checked`
  /// follows.
  void accept();

 signals:
  void changed();
  void checked();

 private:
  void begin();
  void take(const QString& path, const QByteArray& now);
  bool follow();
  void set(State state);

  Document& m_document;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  QByteArray m_known;  ///< empty: no content is known
  State m_state = State::Same;
  QString m_asked;            ///< the file that is being read; empty: none
  bool m_checkAgain = false;  ///< the current read is out of date
  bool m_accepting = true;    ///< the next content found is accepted
};

}  // namespace millrace
