// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace {

/// The style sheet of the comparison page, with light and dark colours; text has a contrast ratio
/// of at least 4.5 on every background.
std::string comparisonStyle();

}  // namespace millrace
