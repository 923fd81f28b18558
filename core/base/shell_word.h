// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// `word` as a POSIX shell takes it for one argument: as it is where nothing in it means anything
/// to a shell, else in single quotes.
std::string shellWord(std::string_view word);

}  // namespace millrace
