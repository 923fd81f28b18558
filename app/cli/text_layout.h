// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

/// Columns that everything for a person fits in; only a single longer word (a path) goes beyond.
inline constexpr std::size_t kColumns = 80;
/// Columns that what stands below a heading is moved in.
inline constexpr std::size_t kIndent = 2;
/// Columns between those of a table.
inline constexpr std::size_t kGap = 2;

/// `text` broken at spaces into lines of at most kColumns, each but the first behind `indent`
/// spaces; the first follows `begun` columns that are there already. Ends with a newline.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t begun = 0);

/// Columns that UTF-8 text takes on a terminal, one a character.
std::size_t columnsOf(std::string_view text);

/// `text` in exactly `width` columns: cut with "..", or filled up with spaces.
std::string fitted(std::string_view text, std::size_t width);

/// "  label   text": all lines of `text` begin behind `indent` columns. Ends with a newline.
std::string labelled(std::string_view label, std::string_view text, std::size_t indent);

/// `line` without the spaces at its end, and a newline.
std::string trimmedLine(std::string line);

}  // namespace millrace::cli
