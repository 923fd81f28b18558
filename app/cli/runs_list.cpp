// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs list`: the runs that were kept, newest first.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/run_list_page.h"
#include "app/cli/runs.h"
#include "core/base/text.h"

namespace millrace::cli {

namespace {

struct ListArguments {
  StoreArguments store;
  std::string experiment;
  RunQuery query;
};

int sayNoRuns(bool json) {
  fmt::print("{}\n", json ? "[]" : noRunsYet());
  return kDone;
}

int listRuns(ListArguments& arguments) {
  if (!arguments.experiment.empty()) arguments.query.experiment = arguments.experiment;
  const bool json = arguments.store.json;
  return withStore(
      arguments.store.file(), [&] { return sayNoRuns(json); },
      [&](RunStore& store) {
        const auto runs = store.list(arguments.query);
        if (!runs) return fail(runs.error().message, kFailed);
        if (json)
          fmt::print("{}", runListJson(*runs));
        else if (runs->empty() && arguments.experiment.empty())
          return sayNoRuns(false);
        else if (runs->empty())
          fmt::print("no runs in the experiment {}\n", validUtf8(arguments.experiment));
        else
          fmt::print("{}", runListText(*runs));
        return kDone;
      });
}

}  // namespace

void addRunsList(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* list = runs.add_subcommand("list", "List the runs, newest first");
  list->footer("Example:  millrace runs list --experiment photos --limit 5");
  list->add_option("--experiment", arguments->experiment, "Only those of this experiment");
  list->add_option("--limit", arguments->query.limit, "The most to list (50)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  arguments->store.addTo(*list);
  list->callback([arguments, &action] { action = [arguments] { return listRuns(*arguments); }; });
}

}  // namespace millrace::cli
