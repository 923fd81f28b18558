// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace::tests {

/// Exported code of a target with one line in place of each snippet: `# <tfdata/decode.py>` names
/// the file in resources/export that the snippet's text comes from. Snippets that follow each other
/// have no blank lines between them. This is the form of the files in golden/.
std::string withSnippetsNamed(std::string_view code, std::string_view target);

/// The code in full: the inverse of withSnippetsNamed. Reads the snippets from resources/export. A
/// line that names no file of it stays.
std::string withSnippetsInPlace(std::string_view named);

}  // namespace millrace::tests
