// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs`: what the store has kept.
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/command.h"
#include "app/cli/run_pages.h"
#include "app/cli/text_layout.h"
#include "core/base/text.h"
#include "core/store/run_store.h"

namespace millrace::cli {

namespace {

struct RunsArguments {
  std::string store;
  std::string experiment;
  RunQuery query;
  std::string run;
  bool json = false;
};

int fail(const std::string& message, int code) {
  fmt::print(stderr, "error: {}\n", validUtf8(message));
  return code;
}

/// Opens the store and lets `work` read it; a store that is not there yet is `empty`.
int withStore(const RunsArguments& arguments, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work) {
  const std::filesystem::path file =
      arguments.store.empty() ? defaultStorePath() : std::filesystem::path(arguments.store);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return empty();
  Database::Options options;
  options.mode = Database::Mode::Read;
  Result<RunStore> store = RunStore::open(file, options);
  if (!store) return fail(store.error().message, kFailed);
  return work(*store);
}

int noRunsYet(bool json) {
  fmt::print("{}\n", json ? "[]" : "no runs yet; `millrace run classification` makes one");
  return kDone;
}

int listRuns(RunsArguments& arguments) {
  if (!arguments.experiment.empty()) arguments.query.experiment = arguments.experiment;
  return withStore(
      arguments, [&] { return noRunsYet(arguments.json); },
      [&](RunStore& store) {
        const auto runs = store.list(arguments.query);
        if (!runs) return fail(runs.error().message, kFailed);
        if (arguments.json)
          fmt::print("{}", runListJson(*runs));
        else if (runs->empty() && arguments.experiment.empty())
          return noRunsYet(false);
        else if (runs->empty())
          fmt::print("no runs in the experiment {}\n", validUtf8(arguments.experiment));
        else
          fmt::print("{}", runListText(*runs));
        return kDone;
      });
}

Result<RunNumber> lastRun(RunStore& store) {
  RunQuery query;
  query.limit = 1;
  const auto runs = store.list(query);
  if (!runs) return runs.error();
  if (runs->empty()) return Error{"no runs yet; `millrace run classification` makes one"};
  return runs->front().number;
}

int showRun(RunsArguments& arguments) {
  const auto none = [] {
    return fail("no runs yet; `millrace run classification` makes one", kBadUsage);
  };
  return withStore(arguments, none, [&](RunStore& store) {
    const auto number = arguments.run == "last" ? lastRun(store) : store.find(arguments.run);
    if (!number) return fail(number.error().message, kBadUsage);
    const auto details = store.show(*number);
    if (!details) return fail(details.error().message, kFailed);
    const auto pipeline = store.pipelineJson(*number);
    if (!pipeline) return fail(pipeline.error().message, kFailed);
    fmt::print("{}", arguments.json ? runJson(*details, *pipeline) : runText(*details, *pipeline));
    return kDone;
  });
}

void addCommon(CLI::App& command, RunsArguments& arguments) {
  command.add_option("--store", arguments.store, "Read this file")->type_name("FILE");
  command.add_flag("--json", arguments.json, "Print as JSON");
}

}  // namespace

void addRuns(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunsArguments>();
  CLI::App* runs = app.add_subcommand("runs", "List the runs that were kept, or show one");
  runs->require_subcommand(1);
  runs->footer("Example:  millrace runs list --limit 5\n          millrace runs show last");
  CLI::App* list = runs->add_subcommand("list", "List the runs, newest first");
  list->footer("Example:  millrace runs list --experiment photos --limit 5");
  list->add_option("--experiment", arguments->experiment, "Only those of this experiment");
  list->add_option("--limit", arguments->query.limit, "The most to list (50)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  addCommon(*list, *arguments);
  list->callback([arguments, &action] { action = [arguments] { return listRuns(*arguments); }; });
  CLI::App* show = runs->add_subcommand("show", "Show all that was kept of a run");
  show->footer("Example:  millrace runs show 12\n          millrace runs show last --json");
  show->add_option("run", arguments->run, "A run's number, the begin of its id, or last")
      ->required();
  addCommon(*show, *arguments);
  show->callback([arguments, &action] { action = [arguments] { return showRun(*arguments); }; });
}

}  // namespace millrace::cli
