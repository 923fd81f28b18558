// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/document_command.h"

#include "core/open/examples.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"

namespace millrace {

QString commandFor(const Document& document, const std::function<QString(QString)>& commandOf) {
  if (!document.filePath().isEmpty()) return commandOf(document.filePath());
  const std::string text = document.text();
  if (exampleJson(fromQt(document.title())) == text) return commandOf(document.title());
  // No line of a JSON document can be this word.
  return commandOf("-") + " <<'PIPELINE'\n" + toQt(text) + "PIPELINE\n";
}

QString copiedSentence(const Document& document) {
  const bool differs = !document.filePath().isEmpty() && document.isModified();
  return QString("The command was copied to the clipboard.") +
         (differs ? " It uses the saved file: save your changes first." : "");
}

}  // namespace millrace
