// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <QString>

#include "core/base/result.h"

class QTemporaryDir;

namespace millrace {

/// A snapshot of a document, saved or not, in a temporary folder for a child to read. The folder is
/// deleted with this object. Movable.
class DocumentFile {
 public:
  /// `title`: the pipeline's name in the child's records. The error is a sentence with its remedy.
  static Result<DocumentFile> make(const std::string& text, const QString& title);
  DocumentFile(DocumentFile&&) noexcept;
  DocumentFile& operator=(DocumentFile&&) noexcept;
  ~DocumentFile();

  QString folder() const;
  /// The file's name as a command-line argument: "./cats.millrace.json", or "./chess" of the
  /// example.
  QString argument() const;

 private:
  DocumentFile();

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_name;
};

}  // namespace millrace
