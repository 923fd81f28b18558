// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs restore`: brings deleted runs back.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/common/run_text.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

struct RestoreArguments {
  std::string store;
  std::vector<std::string> words;
  bool all = false;
  bool list = false;
};

constexpr std::size_t kShortestId = 4;

/// Whether `word` is the run's number ("12", "#12") or the beginning of its id.
bool names(const std::string& word, const HiddenRun& run) {
  const std::string number = std::to_string(static_cast<std::int64_t>(run.number));
  return word == number || word == "#" + number ||
         (word.size() >= kShortestId && run.uid.starts_with(word));
}

/// The deleted runs that the words name; those of the last deletion without words.
Result<std::vector<RunNumber>> chosenRuns(const std::vector<HiddenRun>& hidden,
                                          const RestoreArguments& arguments) {
  std::vector<RunNumber> runs;
  for (const std::string& word : arguments.words) {
    const std::size_t before = runs.size();
    for (const HiddenRun& run : hidden)
      if (names(word, run)) runs.push_back(run.number);
    if (runs.size() == before)
      return Error{fmt::format("no deleted run \"{}\"; `millrace runs restore --list` shows all{}",
                               singleLine(word), suggestedStore(arguments.store))};
    if (runs.size() > before + 1)
      return Error{fmt::format(
          "several deleted runs have ids that begin with \"{}\"; give a number", singleLine(word))};
  }
  if (!arguments.words.empty()) return runs;
  for (const HiddenRun& run : hidden)
    if (arguments.all || run.hidden == hidden.front().hidden) runs.push_back(run.number);
  return runs;
}

int listHidden(const std::vector<HiddenRun>& hidden) {
  for (const HiddenRun& run : hidden)
    print("{:>6}  deleted {}  {}\n", static_cast<std::int64_t>(run.number), localTime(run.hidden),
          singleLine(run.name));
  return kDone;
}

int restoreCommand(const RestoreArguments& arguments) {
  return withStoreToChange(storeFile(arguments.store), [&](RunStore& store) {
    const auto hidden = store.hidden();
    if (!hidden) return fail(hidden.error().message, kFailed);
    if (hidden->empty() && arguments.words.empty()) {
      print("there are no deleted runs\n");
      return kDone;
    }
    if (arguments.list) return listHidden(*hidden);
    const auto runs = chosenRuns(*hidden, arguments);
    if (!runs) return fail(runs.error().message, kBadUsage);
    if (Status done = store.restore(*runs); !done) return fail(done.error().message, kFailed);
    print("restored {}", wrapped(runsWithNumbers(*runs), 2, 9));
    return kDone;
  });
}

}  // namespace

void addRunsRestore(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<RestoreArguments>();
  CLI::App* restore = runs.add_subcommand("restore", "Bring deleted runs back");
  restore->footer(
      "Example:  millrace runs restore\n"
      "          millrace runs restore 12 13\n"
      "Without RUN, those that were deleted last. Deleted runs are kept for 30 days, or until "
      "`millrace runs tidy`.");
  auto* words = restore->add_option("runs", arguments->words,
                                    "Deleted runs: numbers, or the beginnings of their ids");
  words->type_name("RUN");
  auto* all = restore->add_flag("--all", arguments->all, "Restore all deleted runs");
  all->excludes(words);
  restore->add_flag("--list", arguments->list, "List the deleted runs")
      ->excludes(words)
      ->excludes(all);
  restore->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  restore->callback(
      [arguments, &action] { action = [arguments] { return restoreCommand(*arguments); }; });
}

}  // namespace millrace::cli
