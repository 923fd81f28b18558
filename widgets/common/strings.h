// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <QString>

namespace millrace {

inline QString toQt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline std::string fromQt(const QString& text) { return text.toStdString(); }

/// File names are bytes: converted both ways without loss.
QString fileText(const std::filesystem::path& path);
std::filesystem::path pathOf(const QString& text);

/// A problem's message as a sentence: first letter in upper case, full stop or question mark at the
/// end.
QString sentence(std::string_view message);
/// The same for plain text in a rich label: markup escaped, `code` in the code font.
QString richSentence(std::string_view message);
/// Plain text in a rich label: as richSentence, but with first letter and end unchanged, and with
/// line breaks kept.
QString richText(const QString& words);

}  // namespace millrace
