// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

// The tables of the comparison page. Values that differ from the reference's are bold.

std::string runTable(const Comparison& comparison);
std::string figureTable(const Comparison& comparison);
/// The settings that differ, or all.
std::string settingTable(const Comparison& comparison, bool all);
std::string conditionTable(const Comparison& comparison, bool all);

}  // namespace millrace
