// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// visibleText (visible_text.h) of a name, or of a sentence that contains names: line breaks and
/// tabs become \n, \r and \t. A name then stays on its line, and the file can be found by what is
/// shown.
std::string visibleName(std::string_view bytes);

}  // namespace millrace
