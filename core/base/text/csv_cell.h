// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// A cell of CSV, in quotes where RFC 4180 needs them. A text that a spreadsheet would take for a
/// formula (it begins with = + - @, a tab or a carriage return, and is no number) gets an
/// apostrophe before it, as OWASP's "CSV Injection" advises. Numbers are unchanged.
std::string csvCell(std::string_view text);
/// A cell of a table that programs read: the text's own bytes, in quotes where RFC 4180 needs them.
std::string csvBytes(std::string_view text);

}  // namespace millrace
