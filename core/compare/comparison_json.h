// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

/// The comparison as JSON, indented, with a newline at the end. Lists over runs follow the order of
/// `runs`, the reference first; an absent value is null; invalid UTF-8 becomes U+FFFD.
/// - `format_version` 1, `reference` (run id);
/// - `runs`: `run_id uid name pipeline experiment state reason started baseline tags notes
///   engine_version repeats` (samples/s of each finished repeat) `remarks verdict`;
/// - `verdict`, null for the reference: `kind` (faster, slower, ~, too few, not alike) `measured`
///   (together, apart) `ratio ratio_ci95_low ratio_ci95_high p smallest_difference repeats` (of the
///   reference and of this run) `more_wanted differs sentence`;
/// - `figures`: `metric of` (node or queue, or null) `name unit better values ci95_low ci95_high
///   change` (after / before - 1);
/// - `settings`: `name values differs`; those that differ, or all with `allSettings`;
///   `settings_total`;
/// - `conditions`: `name values decides differs`, all conditions; an unknown value is null;
/// - `graph`: per run null or the result of diffJson.
std::string comparisonJson(const Comparison& comparison, bool allSettings);

}  // namespace millrace
