// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/store/run_query.h"
#include "core/store/run_store.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The runs that a command works on: `[RUN... | QUERY] --experiment NAME`. The query may be one
/// argument or several.
struct RunSelection {
  std::vector<std::string> words;
  std::string experiment;

  void addTo(CLI::App& command);
  /// Whether all words name runs ("12", "#12", "last", the beginning of an id).
  bool namesRuns() const;
  bool everything() const { return words.empty() && experiment.empty(); }
};

/// The settings that a query on this store may name: those of every node kind, and of the runs in
/// it.
Result<QueryVocabulary> vocabularyOf(RunStore& store);

/// The selection as a query without a limit. Words that name runs select these runs; others are a
/// query. On a mistake, prints it and returns nullopt; the command then ends with kBadUsage. An
/// empty word is a mistake, because it mostly comes from a variable that is not set; no words at
/// all select every run.
std::optional<RunQuery> queryOf(RunStore& store, const RunSelection& selection,
                                const QueryVocabulary& vocabulary);

/// The grammar in a few lines with examples, for the help of the commands that accept a query.
std::string queryHelp();

}  // namespace millrace::cli
