// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs list`: the kept runs, newest first.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/runs/run_list_page.h"
#include "app/cli/runs/run_selection.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"

namespace millrace::cli {

namespace {

struct ListArguments {
  StoreArguments store;
  RunSelection selection;
  std::string sort;
  std::string columns;
  std::int64_t limit = 50;
  bool all = false;
  bool csv = false;
};

int sayNoRuns(const ListArguments& arguments) {
  if (!arguments.csv) print("{}\n", arguments.store.json ? "[]" : noRunsYet());
  return kDone;
}

/// Adds sort keys and columns to the query; a sentence if a name is unknown.
Status addFields(const ListArguments& arguments, const QueryVocabulary& vocabulary,
                 RunQuery& query) {
  if (!arguments.sort.empty()) {
    auto sort = parseSort(arguments.sort, vocabulary);
    if (!sort) return Error{"--sort: " + sort.error().message};
    query.sort = sort.take();
  }
  const std::string wanted =
      arguments.columns.empty() && arguments.csv ? csvColumns() : arguments.columns;
  if (!wanted.empty()) {
    auto columns = parseColumns(wanted, vocabulary);
    if (!columns) return Error{"--columns: " + columns.error().message};
    query.columns = columns.take();
  }
  if (!arguments.all) query.limit = arguments.limit;
  return {};
}

/// What a list without runs says if no query was asked.
std::string emptyList(RunStore& store) {
  const auto hidden = store.hidden();
  if (!hidden || hidden->empty()) return noRunsYet();
  return fmt::format("there are no runs; `millrace runs restore` brings deleted ones back ({})",
                     runCount(static_cast<std::int64_t>(hidden->size())));
}

void printList(const ListArguments& arguments, const RunQuery& query, const RunList& list,
               RunStore& store) {
  if (arguments.csv) {
    print("{}", runListCsv(list.runs, query.columns));
  } else if (arguments.store.json) {
    print("{}", runListJson(list.runs, query.columns));
  } else if (list.runs.empty()) {
    print("{}\n", arguments.selection.everything() ? emptyList(store) : "no run matches");
  } else {
    print("{}", runListText(list.runs, query.columns));
    if (list.matching > query.limit)
      print("{} of {} runs; show all with --all, or N with --limit N\n", query.limit,
            list.matching);
  }
}

int listRuns(const ListArguments& arguments) {
  return withStore(
      arguments.store.file(), [&] { return sayNoRuns(arguments); },
      [&](RunStore& store) {
        const auto vocabulary = vocabularyOf(store);
        if (!vocabulary) return fail(vocabulary.error().message, kFailed);
        auto query = queryOf(store, arguments.selection, *vocabulary);
        if (!query) return kBadUsage;
        if (Status added = addFields(arguments, *vocabulary, *query); !added)
          return fail(added.error().message, kBadUsage);
        const auto list = store.search(*query);
        if (!list) return fail(list.error().message, kFailed);
        printList(arguments, *query, *list, store);
        return sayWhatIsUnreadable(*list);
      });
}

}  // namespace

void addRunsList(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* list = runs.add_subcommand("list", "List the runs, newest first");
  list->footer(
      "Example:  millrace runs list --sort -samples_per_second --limit 5 \\\n"
      "            --columns number,name,workers.count,samples_per_second\n" +
      queryHelp());
  arguments->selection.addTo(*list);
  list->add_option("--sort", arguments->sort, "Sort by these names; -NAME: largest first")
      ->type_name("NAME,...");
  list->add_option("--columns", arguments->columns, "Show these names")->type_name("NAME,...");
  auto* limit = list->add_option("--limit", arguments->limit, "Maximum number of runs (50)")
                    ->transform(whole(1, 1'000'000'000));
  list->add_flag("--all", arguments->all, "List all runs")->excludes(limit);
  arguments->store.addTo(*list);
  list->add_flag("--csv", arguments->csv, "Print as CSV, for scripts")
      ->excludes(list->get_option("--json"));
  list->callback([arguments, &action] { action = [arguments] { return listRuns(*arguments); }; });
}

}  // namespace millrace::cli
