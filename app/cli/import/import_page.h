// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/jobs/translate/translate_job.h"

namespace millrace::cli {

/// What `millrace import` prints: what became of each part, how the samples compare, and the next
/// commands.
std::string importPage(const TranslateOutcome& outcome, const TranslateSettings& settings);

/// The same as one JSON object.
std::string importJson(const TranslateOutcome& outcome, const TranslateSettings& settings);

}  // namespace millrace::cli
