// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/inspect/inspection.h"

namespace millrace::cli {

/// Messages of a node write one of its settings as `name=value` in backticks, because a node does
/// not know its id. The same text with the flag of the command line, `--set ID.name=value`, where
/// the name is a parameter of the proposal's source.
std::string withSettingFlags(std::string_view text, const Graph& proposal);
/// All texts of an inspection.
void takeSettingFlags(Inspection& found);

}  // namespace millrace::cli
