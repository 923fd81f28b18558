// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// `bytes` as text that only shows characters: control characters except line feeds and tabs, marks
/// that change the direction of writing, and bytes that are not UTF-8 become \xNN or \uNNNN. A file
/// name can then send no command to a terminal and not look like another one. Characters without
/// width are escaped, too, except the joiners U+200C and U+200D, which Persian and emoji need. A
/// JSON text keeps its value, because it contains these characters only in strings. For one line:
/// singleLine; for names: visibleName (visible_name.h).
std::string visibleText(std::string_view bytes);

}  // namespace millrace
