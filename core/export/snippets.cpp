// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/snippets.h"

#include "core/base/check.h"
#include "core/base/text/text.h"

namespace millrace {

Snippet parseSnippet(std::string_view text) {
  constexpr std::string_view kNeeds = "# needs: ";
  Snippet snippet;
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with("# SPDX-")) continue;
    if (line.starts_with(kNeeds)) {
      for (std::string& name : split(line.substr(kNeeds.size()), ' '))
        snippet.needs.push_back(std::move(name));
    } else if (line.starts_with("import ") || line.starts_with("from ")) {
      snippet.imports.push_back(line);
    } else if (!line.empty() || !snippet.body.empty()) {
      snippet.body += line + "\n";
    }
  }
  while (snippet.body.ends_with("\n")) snippet.body.pop_back();
  return snippet;
}

Snippet snippetNamed(std::string_view target, std::string_view name) {
  for (const std::string_view folder : {target, std::string_view("python")})
    for (const EmbeddedSnippet& embedded : embeddedSnippets())
      if (embedded.target == folder && embedded.name == name) return parseSnippet(embedded.text);
  MILLRACE_CHECK(false, "every snippet is a file of resources/export");
}

}  // namespace millrace
