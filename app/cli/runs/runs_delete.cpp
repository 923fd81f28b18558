// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs delete`: hides runs, offers to restore them, and removes them when it ends.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/text_layout.h"
#include "app/cli/run/run_control.h"
#include "app/cli/runs/run_list_page.h"
#include "app/cli/runs/run_selection.h"
#include "app/cli/runs/runs.h"
#include "core/base/text.h"

namespace millrace::cli {

namespace {

struct DeleteArguments {
  std::string store;
  RunSelection selection;
  bool dryRun = false;
};

/// The runs that the words select; an exit code if there are none.
Result<std::vector<RunNumber>> chosenRuns(RunStore& store, const RunSelection& selection,
                                          const RunQuery& query) {
  if (areRuns(selection.words)) return distinctRuns(store, selection.words);
  MILLRACE_ASSIGN_OR_RETURN(const auto list, store.search(query));
  std::vector<RunNumber> runs;
  for (const RunSummary& run : list.runs) runs.push_back(run.number);
  return runs;
}

std::string numbersOf(const std::vector<RunNumber>& runs) {
  std::vector<std::string> numbers;
  for (const RunNumber run : runs)
    numbers.push_back(std::to_string(static_cast<std::int64_t>(run)));
  return joinWords(numbers);
}

/// Asks on a terminal. Ctrl+C means undo, the end of the input does not.
bool wantsUndo() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return false;
  fmt::print("type u and Enter to restore them, Enter to remove them permanently: ");
  std::fflush(stdout);
  constexpr int kLookMs = 100;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!interruptPending())
    if (poll(&input, 1, kLookMs) != 0) {
      std::string line;
      std::getline(std::cin, line);
      return !line.empty() && (line.front() == 'u' || line.front() == 'U');
    }
  fmt::print("\n");
  return true;
}

int deleteRuns(RunStore& store, const std::vector<RunNumber>& runs) {
  if (Status hidden = store.hide(runs); !hidden) return fail(hidden.error().message, kFailed);
  const std::string what =
      fmt::format("{}: {}", runCount(static_cast<std::int64_t>(runs.size())), numbersOf(runs));
  fmt::print("deleted {}", wrapped(what, 2, 8));
  if (wantsUndo()) {
    if (Status back = store.restore(runs); !back) return fail(back.error().message, kFailed);
    fmt::print("restored\n");
    return kDone;
  }
  const auto removed = store.removeHidden();
  return removed ? kDone : fail(removed.error().message, kFailed);
}

int deleteCommand(const DeleteArguments& arguments) {
  return withStoreToChange(storeFile(arguments.store), [&](RunStore& store) {
    RunQuery query;
    if (!areRuns(arguments.selection.words)) {
      const auto vocabulary = vocabularyOf(store);
      if (!vocabulary) return fail(vocabulary.error().message, kFailed);
      auto asked = queryOf(arguments.selection, *vocabulary);
      if (!asked) return kBadUsage;
      query = *std::move(asked);
    }
    const auto runs = chosenRuns(store, arguments.selection, query);
    if (!runs) return fail(runs.error().message, kBadUsage);
    if (runs->empty()) {
      fmt::print("no run matches\n");
      return kDone;
    }
    if (!arguments.dryRun) return deleteRuns(store, *runs);
    fmt::print("would delete {}",
               wrapped(runCount(static_cast<std::int64_t>(runs->size())) + ": " + numbersOf(*runs),
                       2, 13));
    return kDone;
  });
}

}  // namespace

void addRunsDelete(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<DeleteArguments>();
  CLI::App* remove = runs.add_subcommand("delete", "Delete runs");
  remove->footer(
      "Example:  millrace runs delete 12 13\n"
      "          millrace runs delete 'tag:draft and started < 30 days ago'\n"
      "On a terminal it offers to restore them before it ends; in a script it does not ask.\n"
      "The freed space is reused; `millrace runs tidy` returns it to the disk.\n" +
      queryHelp());
  arguments->selection.addTo(*remove, "Runs (number, beginning of the id, last), or a query");
  remove->get_option("query")->required();
  remove->add_flag("--dry-run", arguments->dryRun, "List the runs without deleting them");
  remove->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  remove->callback(
      [arguments, &action] { action = [arguments] { return deleteCommand(*arguments); }; });
}

}  // namespace millrace::cli
