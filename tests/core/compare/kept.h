// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/kept_run.h"

namespace millrace::tests {

/// A finished run of a small pipeline (synthetic, workers, batch, prefetch, drain) with these
/// rates, one a repeat, on the same machine and data as every other.
KeptRun keptRun(std::int64_t number, const std::vector<double>& rates);

/// Replaces or adds; an empty value removes.
void setFact(KeptRun& run, std::string_view key, std::string_view value);
/// As `--set`: in the document and in the kept settings.
void setSetting(KeptRun& run, const std::string& setting);
/// The run's document is this one, and its settings are those of its nodes.
void setPipeline(KeptRun& run, const std::string& json);

/// nullptr when there is none.
const SettingRow* settingOf(const Comparison& comparison, std::string_view name);
const FigureRow* figureOf(const Comparison& comparison, std::string_view id,
                          std::string_view of = "");

}  // namespace millrace::tests
