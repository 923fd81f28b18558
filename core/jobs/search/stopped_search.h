// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/measure/data_facts.h"
#include "core/measure/run_result.h"
#include "core/store/run_record.h"

namespace millrace {

// Checks of every command that continues stopped measurements.

/// Empty if there is no fact of that key.
std::string factNamed(const Facts& facts, const std::string& key);

/// A run's leading complete repeats.
std::vector<SpanFigures> wholeRepeats(const RunDetails& details);

/// Compares the facts that must be unchanged; otherwise measurements before and after the stop
/// would not be comparable. Facts that one side lacks are ignored. `what` was stopped: "sweep".
Status sameConditions(const Facts& before, const Facts& now, const std::string& what,
                      std::span<const char* const> keys);

/// Those facts of a search's trials that concern the machine and the measuring.
std::span<const char* const> searchConditions();

/// Whether every trial has ended, so that nothing is left to continue.
bool isComplete(const SearchSummary& search);

/// An error if the run is currently being written. `what`: "sweep".
Status notWrittenNow(const RunDetails& details, const std::string& what);

/// "the stopped sweep cannot be continued: the pipeline was changed; ...".
Error changedPipeline(const std::string& what);

}  // namespace millrace
