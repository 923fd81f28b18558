// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/events/search/tune_json.h"

namespace millrace::cli {

/// The page for the user, within 80 columns and without colour.
std::string tuneText(const TuneOutcome& outcome, const TuneCommands& commands);

}  // namespace millrace::cli
