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

/// What a workbench that ended without saving left behind.
struct RecoveredDocument {
  QString recoveryFile;
  QString file;  ///< what the person had open; empty where it had no file
  QString title;
  std::string text;
};

/// Keeps a copy of a changed document beside all user files, at most a few seconds old, and
/// removes it when the document is saved, unchanged or closed. GUI thread.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// `folder`: made when first needed.
  Recovery(Document& document, QString folder);
  ~Recovery() override;

  const QString& recoveryFile() const { return m_file; }
  void writeNow();

  /// `$XDG_STATE_HOME/millrace/recovery`.
  static QString defaultFolder();
  /// What processes that are gone left in a folder.
  static std::vector<RecoveredDocument> leftBehind(const QString& folder);

 private:
  void documentChanged();

  Document& m_document;
  QString m_folder;
  QString m_file;
  QTimer m_timer;
};

}  // namespace millrace
