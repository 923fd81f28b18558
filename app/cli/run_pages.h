// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/store/run_record.h"

namespace millrace::cli {

// What `millrace runs` prints, newline at the end.

std::string runListText(const std::vector<RunSummary>& runs);
/// An array of `run_id uid started finished state reason experiment name pipeline tags
/// failed_samples samples_per_second` (`mean ci95_low ci95_high`).
std::string runListJson(const std::vector<RunSummary>& runs);

/// `pipeline` is the document's text.
std::string runText(const RunDetails& details, const std::string& pipeline);
/// The object that `millrace run --json` prints, as far as it is kept, with what the list says and
/// `notes engine_version settings`.
std::string runJson(const RunDetails& details, const std::string& pipeline);

}  // namespace millrace::cli
