// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs baseline`: the run of an experiment that the others are compared with.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/runs/run_list_page.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/store/named_run.h"

namespace millrace::cli {

namespace {

struct BaselineArguments {
  StoreArguments store;
  std::string run;
  std::string clear;
};

int printBaselines(const BaselineArguments& arguments) {
  const bool json = arguments.store.json;
  const auto none = [json] {
    print("{}\n", json ? "[]" : "no experiment has a baseline");
    return kDone;
  };
  return withStore(arguments.store.file(), none, [&](RunStore& store) {
    RunQuery query;
    query.where = findField("baseline", {})->value;
    for (const char* name : {"experiment", "number", "started", "samples_per_second", "name"})
      query.columns.push_back(*findField(name, {}));
    const auto list = store.search(query);
    if (!list) return fail(list.error().message, kFailed);
    if (json)
      print("{}", runListJson(list->runs, {}));
    else if (list->runs.empty())
      return none();
    else
      print("{}", runListText(list->runs, query.columns));
    return sayWhatIsUnreadable(*list);
  });
}

int changeBaseline(const BaselineArguments& arguments) {
  return withStoreToChange(arguments.store.file(), [&](RunStore& store) {
    if (!arguments.clear.empty()) {
      const Status done = store.clearBaseline(arguments.clear);
      if (!done) return fail(done.error().message, kBadUsage);
      print("the experiment {} has no baseline now\n", singleLine(arguments.clear));
      return kDone;
    }
    const auto run = runNamed(store, arguments.run);
    if (!run) return fail(run.error().message, kBadUsage);
    if (Status done = store.setBaseline(*run); !done) return fail(done.error().message, kFailed);
    const auto details = store.show(*run);
    if (!details) return fail(details.error().message, kFailed);
    print("run {} is the baseline of the experiment {}\n", static_cast<std::int64_t>(*run),
          singleLine(details->summary.experiment));
    return kDone;
  });
}

}  // namespace

void addRunsBaseline(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<BaselineArguments>();
  CLI::App* baseline = runs.add_subcommand(
      "baseline", "Set the run that others of its experiment are compared with");
  baseline->footer(
      "Example:  millrace runs baseline 12\n"
      "          millrace runs baseline --clear photos\n"
      "An experiment has at most one baseline; without RUN, all baselines are listed.");
  auto* run = baseline->add_option("run", arguments->run,
                                   "A run's number, the beginning of its id, or last");
  baseline->add_option("--clear", arguments->clear, "Remove the baseline of this experiment")
      ->type_name("EXPERIMENT")
      ->excludes(run);
  arguments->store.addTo(*baseline);
  baseline->callback([arguments, &action] {
    const bool look = arguments->run.empty() && arguments->clear.empty();
    action = [arguments, look] {
      return look ? printBaselines(*arguments) : changeBaseline(*arguments);
    };
  });
}

}  // namespace millrace::cli
