// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// A file of resources/export, embedded at build time.
struct EmbeddedSnippet {
  std::string_view target;
  std::string_view name;
  std::string_view text;
};
std::span<const EmbeddedSnippet> embeddedSnippets();

/// Definitions in the target's language that exported code may need, parsed.
struct Snippet {
  std::vector<std::string> imports;  ///< import lines
  std::vector<std::string> needs;    ///< names of other snippets
  std::string body;                  ///< definitions, without blank lines at either end
};

/// Reads resources/export/TARGET/NAME.py, or else resources/export/python/NAME.py, which targets
/// share. The snippet must exist.
Snippet snippetNamed(std::string_view target, std::string_view name);
Snippet parseSnippet(std::string_view text);

}  // namespace millrace
