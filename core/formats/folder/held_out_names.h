// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace millrace {

/// Usual names of folders next to `train` whose samples are not trained on; the first one that is
/// there is the validation set.
inline constexpr std::array<std::string_view, 5> kHeldOutNames = {"val", "validation", "valid",
                                                                  "test", "dev"};

}  // namespace millrace
