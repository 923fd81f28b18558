// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/run/data_facts.h"
#include "core/run/run_result.h"
#include "core/store/run_record.h"

namespace millrace::cli {

// What every command looks at before it goes on with measurements that were stopped.

/// Empty where there is none of that key.
std::string factNamed(const Facts& facts, const std::string& key);

/// A run's first whole repeats.
std::vector<SpanFigures> wholeRepeats(const RunDetails& details);

/// The facts that must be as they were, or what was measured before and after the stop does not
/// belong together. Facts that either does not have are passed over. `what` was stopped: "sweep".
Status sameConditions(const Facts& before, const Facts& now, const std::string& what,
                      std::span<const char* const> keys);

/// Facts of a search's trials that are the machine's and the measuring's own.
std::span<const char* const> searchConditions();

/// An error where the run is being written. `what`: "sweep".
Status notWrittenNow(const RunDetails& details, const std::string& what);

/// "the stopped sweep cannot go on: the pipeline was changed; ...".
Error changedPipeline(const std::string& what);

}  // namespace millrace::cli
