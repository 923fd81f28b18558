// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs delete`: hides runs, so that `millrace runs restore` can bring them back.
#include <algorithm>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/runs/run_list_page.h"
#include "app/cli/runs/run_selection.h"
#include "app/cli/runs/runs.h"

namespace millrace::cli {

namespace {

struct DeleteArguments {
  std::string store;
  RunSelection selection;
  bool all = false;
  bool dryRun = false;
};

/// The runs that the words select. Those that are named need not be readable.
Result<std::vector<RunNumber>> chosenRuns(RunStore& store, const RunSelection& selection,
                                          const RunQuery& query) {
  if (selection.namesRuns()) return distinctRuns(store, selection.words);
  MILLRACE_ASSIGN_OR_RETURN(const auto list, store.search(query));
  std::vector<RunNumber> runs;
  for (const RunSummary& run : list.runs) runs.push_back(run.number);
  std::ranges::sort(runs);
  return runs;
}

int deleteRuns(RunStore& store, const std::vector<RunNumber>& runs,
               const DeleteArguments& arguments) {
  if (Status hidden = store.hide(runs); !hidden) return fail(hidden.error().message, kFailed);
  print("deleted {}", wrapped(runsWithNumbers(runs), 2, 8));
  printMessage("    undo within {} days: millrace runs restore{}\n",
               RunStore::kHiddenAreKept.count(), suggestedStore(arguments.store));
  const auto removed = store.removeExpired();
  return removed ? kDone : fail(removed.error().message, kFailed);
}

int deleteCommand(const DeleteArguments& arguments) {
  if (arguments.selection.everything() && !arguments.all)
    return fail("name the runs to delete: RUN..., a query, --experiment NAME or --all", kBadUsage);
  return withStoreToChange(storeFile(arguments.store), [&](RunStore& store) {
    RunQuery query;
    if (!arguments.selection.namesRuns()) {
      const auto vocabulary = vocabularyOf(store);
      if (!vocabulary) return fail(vocabulary.error().message, kFailed);
      auto asked = queryOf(store, arguments.selection, *vocabulary);
      if (!asked) return kBadUsage;
      query = *std::move(asked);
    }
    const auto runs = chosenRuns(store, arguments.selection, query);
    if (!runs) return fail(runs.error().message, kBadUsage);
    if (runs->empty()) {
      print("no run matches\n");
      return kDone;
    }
    if (!arguments.dryRun) return deleteRuns(store, *runs, arguments);
    print("would delete {}", wrapped(runsWithNumbers(*runs), 2, 13));
    return kDone;
  });
}

}  // namespace

void addRunsDelete(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<DeleteArguments>();
  CLI::App* remove = runs.add_subcommand("delete", "Delete runs; `runs restore` undoes it");
  remove->footer(
      "Example:  millrace runs delete 12 13\n"
      "          millrace runs delete 'tag:draft and started < 30 days ago'\n"
      "          millrace runs restore\n"
      "Deleted runs can be restored for 30 days. `millrace runs tidy` removes them at once and "
      "returns their space to the disk.\n" +
      queryHelp());
  arguments->selection.addTo(*remove);
  remove->add_flag("--all", arguments->all, "Delete all runs")
      ->excludes(remove->get_option("query"))
      ->excludes(remove->get_option("--experiment"));
  remove->add_flag("--dry-run", arguments->dryRun, "List the runs without deleting them");
  remove->add_option("--store", arguments->store, "Use this store")->type_name("FILE");
  remove->callback(
      [arguments, &action] { action = [arguments] { return deleteCommand(*arguments); }; });
}

}  // namespace millrace::cli
