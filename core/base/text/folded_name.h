// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace millrace {

/// A name for comparing names as a reader sees them: two names that look the same although one
/// is stored with combined and the other with separate accents (NFC and NFD, as macOS stores them),
/// or that differ by the case of Latin, Greek or Cyrillic letters, have the same folded name. Bytes
/// that are not UTF-8 stay. Not for display.
std::string foldedName(std::string_view name);

/// The same without the zeros at the beginning of numbers, so that `1` and `001` are alike: for
/// files that belong together.
std::string looseName(std::string_view name);

}  // namespace millrace
