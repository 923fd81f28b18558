// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// The style sheet of the comparison's page. Colours are the project's, light and dark; text on any
/// ground has a contrast of 4.5 or more.
std::string comparisonStyle();

}  // namespace millrace
