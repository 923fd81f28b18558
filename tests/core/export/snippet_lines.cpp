// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/snippet_lines.h"

#include <filesystem>
#include <map>
#include <vector>

#include "core/base/text/text.h"
#include "core/export/snippets.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

namespace {

namespace fs = std::filesystem;

/// Separates definitions of exported code: two blank lines.
constexpr std::string_view kApart = "\n\n\n";

/// Bodies by the line that names them.
using Bodies = std::map<std::string, std::string>;

const Bodies& snippetBodies() {
  static const Bodies all = [] {
    Bodies bodies;
    const fs::path folder = tests::sourcePath("resources/export");
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".py")
        bodies["# <" + fs::relative(entry.path(), folder).generic_string() + ">"] =
            parseSnippet(contentOf(entry.path())).body;
    return bodies;
  }();
  return all;
}

/// The longest snippet that `code` begins with, up to the end of a definition; nullptr for none.
const Bodies::value_type* snippetAt(std::string_view code, std::string_view target) {
  const Bodies::value_type* found = nullptr;
  for (const Bodies::value_type& snippet : snippetBodies()) {
    const auto& [name, body] = snippet;
    if (!name.starts_with("# <" + std::string(target) + "/") && !name.starts_with("# <python/"))
      continue;
    if (!code.starts_with(body)) continue;
    const std::string_view rest = code.substr(body.size());
    if (rest != "\n" && !rest.starts_with(kApart)) continue;
    if (found == nullptr || body.size() > found->second.size()) found = &snippet;
  }
  return found;
}

}  // namespace

std::string withSnippetsNamed(std::string_view code, std::string_view target) {
  std::string named;
  bool afterSnippet = false;
  while (!code.empty()) {
    const Bodies::value_type* snippet =
        code.starts_with(kApart) ? snippetAt(code.substr(kApart.size()), target) : nullptr;
    if (snippet != nullptr) {
      named += (afterSnippet ? "\n" : std::string(kApart)) + snippet->first;
      code.remove_prefix(kApart.size() + snippet->second.size());
    } else {
      named += code.front();
      code.remove_prefix(1);
    }
    afterSnippet = snippet != nullptr;
  }
  return named;
}

std::string withSnippetsInPlace(std::string_view named) {
  std::vector<std::string> lines = split(named, '\n');
  bool afterSnippet = false;
  for (std::string& line : lines) {
    const auto snippet = snippetBodies().find(line);
    const bool isSnippet = snippet != snippetBodies().end();
    if (isSnippet) line = (afterSnippet ? "\n\n" : "") + snippet->second;
    afterSnippet = isSnippet;
  }
  return join(lines, "\n");
}

}  // namespace millrace::tests
