// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace millrace::cli {

/// "--name" of "--name=value", "-n" of "-nvalue"; empty for a word that is not an option.
std::string optionIn(const std::string& word);

/// Whether the next word is the value of this option of `app`.
bool takesNext(const CLI::App& app, const std::string& word);

/// The position of the first word from `from` on that is neither an option nor the value of an
/// option of one of `apps`; the number of words if there is none. After "--", every word counts.
std::size_t nextArgument(const std::vector<std::string>& words, std::size_t from,
                         std::span<const CLI::App* const> apps);

}  // namespace millrace::cli
