// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::tests {

/// What a diff calls the two texts, in its two head lines.
struct DiffNames {
  std::string from;
  std::string to;
};

/// The change from one text to another as a unified diff, as `patch` reads it, with one line of
/// context. Both texts end with a line break, or are empty. Equal texts give an empty diff.
std::string lineDiff(std::string_view from, std::string_view to, const DiffNames& names);

/// The text that the diff makes of `from`; nullopt where the diff was not made from it.
std::optional<std::string> patched(std::string_view from, std::string_view diff);

}  // namespace millrace::tests
