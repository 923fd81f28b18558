// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/document_file.h"

#include <QFile>
#include <QTemporaryDir>

#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Turns a title into a file name, by which the engine keeps its runs. The title of a document
/// without a file, such as an example, has no ending.
QString fileNameOf(const QString& title) {
  QString name = title;
  name.replace('/', '_').remove(QChar(0));
  if (name.isEmpty() || name.startsWith('.') || name.startsWith('-')) name.prepend("pipeline");
  return name;
}

}  // namespace

DocumentFile::DocumentFile() : m_folder(std::make_unique<QTemporaryDir>()) {}
DocumentFile::DocumentFile(DocumentFile&&) noexcept = default;
DocumentFile& DocumentFile::operator=(DocumentFile&&) noexcept = default;
DocumentFile::~DocumentFile() = default;

QString DocumentFile::folder() const { return m_folder->path(); }
QString DocumentFile::argument() const { return "./" + m_name; }

Result<DocumentFile> DocumentFile::make(const std::string& text, const QString& title) {
  DocumentFile made;
  made.m_name = fileNameOf(title);
  QFile file(made.m_folder->filePath(made.m_name));
  const auto size = static_cast<qint64>(text.size());
  if (!made.m_folder->isValid() || !file.open(QIODevice::WriteOnly) ||
      file.write(text.data(), size) != size || !file.flush())
    return Error{
        "The pipeline could not be passed to the engine: " +
        fromQt(made.m_folder->isValid() ? file.errorString() : made.m_folder->errorString()) +
        ". Free space in the folder for temporary files."};
  return made;
}

}  // namespace millrace
