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
/// rates, one per repeat; machine and data are always the same.
KeptRun keptRun(std::int64_t number, const std::vector<double>& rates);

/// Adds or replaces the fact; an empty value removes it.
void setFact(KeptRun& run, std::string_view key, std::string_view value);
/// In the syntax of `--set`; changes the document and the stored settings.
void setSetting(KeptRun& run, const std::string& setting);
/// Replaces the run's document, and its settings by those of the document's nodes.
void setPipeline(KeptRun& run, const std::string& json);

/// nullptr if there is none.
const SettingRow* settingOf(const Comparison& comparison, std::string_view name);
const FigureRow* figureOf(const Comparison& comparison, std::string_view id,
                          std::string_view of = "");

}  // namespace millrace::tests
