// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/strings.h"

#include <QFile>
#include <QRegularExpression>

namespace millrace {

QString fileText(const std::filesystem::path& path) {
  return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

std::filesystem::path pathOf(const QString& text) { return QFile::encodeName(text).toStdString(); }

QString sentence(std::string_view message) {
  QString text = toQt(message).trimmed();
  if (text.isEmpty()) return text;
  text[0] = text[0].toUpper();
  if (!text.endsWith('.') && !text.endsWith('?')) text += '.';
  return text;
}

QString richSentence(std::string_view message) { return richText(sentence(message)); }

QString richText(const QString& words) {
  static const QRegularExpression code("`([^`]*)`");
  return words.toHtmlEscaped().replace(code, "<code>\\1</code>").replace('\n', "<br>");
}

}  // namespace millrace
