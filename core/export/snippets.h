// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// A file of resources/export as it was built in.
struct EmbeddedSnippet {
  std::string_view target;
  std::string_view name;
  std::string_view text;
};
std::span<const EmbeddedSnippet> embeddedSnippets();

/// Definitions in a target's language that exported code may need, taken apart.
struct Snippet {
  std::vector<std::string> imports;  ///< its import lines
  std::vector<std::string> needs;    ///< names of other snippets
  std::string body;                  ///< definitions, without blank lines at either end
};

/// resources/export/TARGET/NAME.py, else resources/export/python/NAME.py, which targets share. That
/// it is there is a promise of whoever names it.
Snippet snippetNamed(std::string_view target, std::string_view name);
Snippet parseSnippet(std::string_view text);

}  // namespace millrace
