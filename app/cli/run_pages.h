// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/store/run_record.h"

namespace millrace::cli {

// What `millrace runs show` prints, newline at the end.

/// All that is kept of a run but its pipeline and series, at most 80 columns. `pipeline` is the
/// document's text; `allSettings` shows those at their default, too.
std::string runText(const RunDetails& details, const std::string& pipeline, bool allSettings);
/// The object that `millrace run --json` prints, as far as it is kept, with what the list says and
/// `notes engine_version settings`.
std::string runJson(const RunDetails& details, const std::string& pipeline);

}  // namespace millrace::cli
