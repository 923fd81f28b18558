// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs show`: everything that was kept of a run.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/run/slowest_page.h"
#include "app/cli/runs/run_pages.h"
#include "app/cli/runs/runs.h"
#include "core/compare/from_store.h"
#include "core/jobs/run/recorded_run.h"
#include "core/store/named_run.h"
#include "core/store/search_notes.h"

namespace millrace::cli {

namespace {

struct ShowArguments {
  StoreArguments store;
  std::string run;
  bool settings = false;
  bool pipeline = false;
  bool slowest = false;
};

/// If they cannot be read, other parts of the command report it.
std::vector<PredictionRecord> predictionsOf(const RunStore& store, RunNumber run) {
  Database::Options options;
  options.mode = Database::Mode::Read;
  auto notes = SearchNotes::open(store.file(), options);
  if (!notes) return {};
  auto predictions = notes->predictionsOf(run);
  return predictions ? predictions.take() : std::vector<PredictionRecord>();
}

int showRun(const ShowArguments& arguments) {
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(arguments.store.file(), none, [&](RunStore& store) {
    const auto number = runNamed(store, arguments.run);
    if (!number) return fail(number.error().message, kBadUsage);
    const auto run = loadRun(store, *number);
    if (!run) return fail(run.error().message, kFailed);
    const std::vector<PredictionRecord> predictions = predictionsOf(store, *number);
    if (arguments.pipeline)
      print("{}", run->pipelineJson);
    else if (arguments.slowest && !arguments.store.json)
      print("{}", slowestPage(recordedResult(run->details).figures));
    else if (arguments.store.json)
      print("{}", runJson(*run, predictions));
    else
      print("{}", runText(*run, arguments.settings, predictions));
    return sayWhatIsUnreadable(store, run->details);
  });
}

}  // namespace

void addRunsShow(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* show = runs.add_subcommand("show", "Show everything that was kept of a run");
  show->footer(
      "Example:  millrace runs show last --settings\n"
      "          millrace runs show 12 --pipeline > again.millrace.json");
  show->add_option("run", arguments->run, "A run's number, the beginning of its id, or last")
      ->required();
  show->add_flag("--settings", arguments->settings, "Show all settings, including defaults");
  show->add_flag("--pipeline", arguments->pipeline,
                 "Print only the pipeline's document, as it was kept");
  show->add_flag("--slowest", arguments->slowest,
                 "List the slowest samples, with the node that takes the time");
  arguments->store.addTo(*show);
  show->callback([arguments, &action] { action = [arguments] { return showRun(*arguments); }; });
}

}  // namespace millrace::cli
