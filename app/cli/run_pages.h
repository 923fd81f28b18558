// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/kept_run.h"

namespace millrace::cli {

// What `millrace runs show` prints, newline at the end.

/// All that is kept of a run but its pipeline and series, at most 80 columns; `allSettings` shows
/// those at their default, too.
std::string runText(const KeptRun& run, bool allSettings);
/// The object that `millrace run --json` prints, as far as it is kept, with what the list says and
/// `notes engine_version settings document measured_together_with` (the other runs of its
/// comparison; null where it was measured alone).
std::string runJson(const KeptRun& run);

}  // namespace millrace::cli
