// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs/run_selection.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/compare/from_store.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

void RunSelection::addTo(CLI::App& command) {
  command.add_option("query", words, "Runs (number, beginning of the id, last), or a query")
      ->type_name("QUERY");
  command.add_option("--experiment", experiment, "Only those of this experiment")
      ->type_name("NAME");
}

bool RunSelection::namesRuns() const {
  return !words.empty() && std::ranges::all_of(words, looksLikeRun);
}

Result<QueryVocabulary> vocabularyOf(RunStore& store) {
  return millrace::vocabularyOf(store, builtinCatalog());
}

namespace {

/// The runs that the words name, as a condition.
Result<SqlPiece> isOneOf(RunStore& store, const std::vector<std::string>& words) {
  MILLRACE_ASSIGN_OR_RETURN(const auto runs, distinctRuns(store, words));
  SqlPiece condition = findField("number", {})->value + "IN (";
  const char* place = "?";
  for (const RunNumber& run : runs) {
    condition = std::move(condition) + SqlPiece{place, {static_cast<std::int64_t>(run)}};
    place = ", ?";
  }
  return std::move(condition) + ")";
}

}  // namespace

std::optional<RunQuery> queryOf(RunStore& store, const RunSelection& selection,
                                const QueryVocabulary& vocabulary) {
  const std::string text = join(selection.words, " ");
  if (!selection.words.empty() && trimmed(text).empty()) {
    fail("the query is empty; leave it out to select every run", kBadUsage);
    return std::nullopt;
  }
  RunQuery query;
  if (!selection.experiment.empty()) query.experiment = selection.experiment;
  query.limit = std::numeric_limits<std::int32_t>::max();
  if (selection.namesRuns()) {
    auto named = isOneOf(store, selection.words);
    if (!named) {
      fail(named.error().message, kBadUsage);
      return std::nullopt;
    }
    query.where = named.take();
    return query;
  }
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  ParsedQuery parsed = parseQuery(text, vocabulary, now);
  if (parsed.mistake) {
    printMessage("error: {}", mistakeText(text, *parsed.mistake));
    return std::nullopt;
  }
  query.where = std::move(parsed.condition);
  return query;
}

std::string queryHelp() {
  return R"(A QUERY consists of = != < <= > >= ~ (contains) !~, and, or, not and parentheses:
  'workers.count > 2 and not tag:draft'         settings are NODE.PARAM
  'samples_per_second > 500 and state=finished' figures as in --json of a run
  'name ~ "night run" or baseline'              text with spaces in quotes
  'started > 2026-11-01 or started > 2 days ago and peak_rss_bytes > 2 GiB'
Names: number name pipeline experiment state reason started finished took tag
  notes baseline repeats failed_samples engine_version uid, NODE.PARAM,
  NODE.busy_seconds and other figures of a node, environment.KEY, and figures:
  samples_per_second (.median .p05 .p95 .ci95_low .ci95_high)
  batches_per_second input_bytes_per_second cpu_seconds_per_1000_samples
  peak_rss_bytes step_share wait_p95_ms other_busy_share steal_share ...
A run without the setting or figure matches no comparison with it.)";
}

}  // namespace millrace::cli
