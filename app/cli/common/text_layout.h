// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

/// Width of pages: that of the terminal, otherwise 80. Only a single longer word (a path) exceeds
/// it.
std::size_t pageColumns();
/// Width of tables whose long texts are cut: that of the terminal. Otherwise there is no limit: a
/// program that reads the table gets whole names.
std::size_t tableColumns();
/// Indentation of text below a heading.
inline constexpr std::size_t kIndent = 2;
/// Gap between the columns of a table.
inline constexpr std::size_t kGap = 2;

/// Wraps `text` at spaces into lines of at most pageColumns(), and at most 100. All lines but the
/// first are indented by `indent`; the first one follows `begun` columns already printed. Ends with
/// a newline.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun = 0);

/// A message whose lines that are wider than a page are wrapped and indented by at least 4. The
/// first word of a line is followed by the second one, however long that is: "error: /a/long/path".
std::string wrappedMessage(std::string_view message);

/// Columns that UTF-8 text takes on a terminal, one for each character; emphasis takes none.
std::size_t columnsOf(std::string_view text);

/// `text` in exactly `width` columns: cut with "..", or padded with spaces.
std::string fitted(std::string_view text, std::size_t width);

/// "  label   text": all lines of `text` are indented by `indent`. Ends with a newline.
std::string labelled(std::string_view label, std::string_view text, std::size_t indent);

/// `line` without trailing spaces, and a newline.
std::string trimmedLine(std::string line);

}  // namespace millrace::cli
