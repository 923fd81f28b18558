// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// The text of an XML file with its entities replaced: the five that XML 1.0 predefines (`&amp;`)
/// and numbers (`&#65;`, `&#x41;`). Others stay as written.
std::string plainXml(std::string_view text);

}  // namespace millrace
