// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

namespace millrace {

class Document;

/// A document left by a workbench that ended without saving.
struct RecoveredDocument {
  QString recoveryFile;
  QString file;  ///< the open file; empty if the document had none
  QString title;
  std::string text;
};

/// Keeps a copy of a changed document, separate from the user's files and at most a few seconds
/// old. The copy is removed when the document is saved, unchanged or closed. GUI thread.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// `folder` is created when first needed.
  Recovery(Document& document, QString folder);
  ~Recovery() override;

  const QString& recoveryFile() const { return m_file; }
  void writeNow();

  /// `$XDG_STATE_HOME/millrace/recovery`.
  static QString defaultFolder();
  /// The documents that ended processes left in a folder.
  static std::vector<RecoveredDocument> leftBehind(const QString& folder);

 private:
  void documentChanged();

  Document& m_document;
  QString m_folder;
  QString m_file;
  QTimer m_timer;
};

}  // namespace millrace
