// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// `word` quoted as one argument of a POSIX shell: unchanged if it has no special characters, else
/// in single quotes.
std::string shellWord(std::string_view word);
/// The same for a command that is shown: what a terminal does not show, or obeys, is escaped as
/// bash and zsh read it (`$'a\nb'`).
std::string shownShellWord(std::string_view word);

}  // namespace millrace
