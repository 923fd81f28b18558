// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include <QString>

#include "core/base/result.h"

class QTemporaryDir;

namespace millrace {

/// A document as it stands, saved or not, in a folder of its own, for a child to read. The folder
/// goes with the value. Moves.
class DocumentFile {
 public:
  /// `title`: what the child's records call the pipeline. The error is a sentence with its remedy.
  static Result<DocumentFile> make(const std::string& text, const QString& title);
  DocumentFile(DocumentFile&&) noexcept;
  DocumentFile& operator=(DocumentFile&&) noexcept;
  ~DocumentFile();

  QString folder() const;
  /// Of the file in the folder, as a command line takes it: "./cats.millrace.json".
  QString argument() const;

 private:
  DocumentFile();

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_name;
};

}  // namespace millrace
