// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

/// The comparison for a program, indented, newline at the end; lists over runs are in the order of
/// `runs`, the reference first; absent is null; bytes that are not UTF-8 become U+FFFD:
/// - `format_version` 1, `reference` (run id);
/// - `runs`: `run_id uid name pipeline experiment state reason started baseline tags notes
///   engine_version repeats` (samples/s of each finished one) `remarks verdict`;
/// - `verdict`, null for the reference: `kind` (faster, slower, ~, too few, not alike) `measured`
///   (together, apart) `ratio ratio_ci95_low ratio_ci95_high p smallest_difference repeats` (of the
///   reference and of this run) `more_wanted differs sentence`;
/// - `figures`: `metric of` (node or queue, or null) `name unit better values ci95_low ci95_high
///   change` (after / before - 1);
/// - `settings`: `name values differs`, those that differ or `allSettings`; `settings_total`;
/// - `conditions`: `name values decides differs`, all of them; null: not known;
/// - `graph`: per run null or what diffJson says.
std::string comparisonJson(const Comparison& comparison, bool allSettings);

}  // namespace millrace
