// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

#include "app/workbench/window/main_window.h"
#include "tests/widgets/patience.h"
#include "widgets/models/document_bytes.h"

namespace millrace::tests {

/// Opens a file or an example in the window; returns whether it is in front once it has been read.
inline bool openIn(MainWindow& window, const QString& fileOrExample) {
  window.open(fileOrExample);
  if (!QTest::qWaitFor([&] { return !window.isWaitingForFiles(); }, kGenerousMs)) return false;
  if (window.page() == nullptr) return false;
  const Document& document = window.page()->session().document;
  return document.filePath() == fileOrExample || document.title() == fileOrExample;
}

/// Opens a file as the window does, without the window.
inline Status openFile(Document& document, const QString& file) {
  const Result<std::string> bytes = documentBytes(file);
  if (!bytes) return bytes.error();
  return document.openBytes(*bytes, file);
}
inline Status saveFile(Document& document, const QString& file) {
  const std::string text = document.text();
  MILLRACE_TRY(writeDocumentBytes(file, text));
  document.savedAs(file, text);
  return {};
}

}  // namespace millrace::tests
