// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs compare`: kept runs side by side.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/output.h"
#include "app/cli/common/version.h"
#include "app/cli/runs/runs.h"
#include "app/cli/runs/runs_compare_text.h"
#include "core/base/text/text.h"
#include "core/base/whole_file.h"
#include "core/compare/comparison_json.h"
#include "core/jobs/common/kept_runs.h"
#include "core/nodes/builtin.h"
#include "core/report/comparison_page.h"
#include "core/spec/did_you_mean.h"

namespace millrace::cli {

namespace {

struct RunsCompareArguments {
  StoreArguments store;
  std::vector<std::string> runs;
  ComparisonTextOptions text;
  std::string html;
  bool force = false;
};

/// Why the first unknown metric is refused.
std::optional<std::string> unknownMetric(const std::vector<std::string>& ids) {
  std::vector<std::string> valid;
  for (const MetricSpec& spec : metricSpecs())
    if (spec.scope == MetricScope::Run || spec.scope == MetricScope::Node ||
        spec.scope == MetricScope::Queue)
      valid.emplace_back(spec.id);
  for (const std::string& id : ids)
    if (std::ranges::find(valid, id) == valid.end())
      return fmt::format("there is no metric `{}`; {}", id, didYouMean(id, valid));
  return std::nullopt;
}

IfThere ifThere(const RunsCompareArguments& arguments) {
  return arguments.force ? IfThere::Replace : IfThere::Refuse;
}

int writePage(const RunsCompareArguments& arguments, const Comparison& comparison) {
  ComparisonPageOptions options;
  options.engineVersion = kVersion;
  options.made =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const Status written =
      writeWholeFile(arguments.html, comparisonPage(comparison, options), ifThere(arguments));
  if (!written) return fail(written.error().message, kFailed);
  printMessage("{} runs compared in {}\n", comparison.runs.size(), singleLine(arguments.html));
  return kDone;
}

int compareKept(const RunsCompareArguments& arguments) {
  if (arguments.runs.size() < 2)
    return fail("a comparison needs two or more runs, such as: millrace runs compare baseline last",
                kBadUsage);
  if (const auto unknown = unknownMetric(arguments.text.metrics)) return fail(*unknown, kBadUsage);
  if (!arguments.html.empty())
    if (Status may = mayWrite(arguments.html, ifThere(arguments)); !may)
      return fail(may.error().message, kFailed);
  const auto none = [] { return fail(noRunsYet(), kBadUsage); };
  return withStore(arguments.store.file(), none, [&](RunStore& store) {
    const auto numbers = runsNamed(store, arguments.runs);
    if (!numbers) return fail(numbers.error().message, kBadUsage);
    const auto runs = loadRuns(store, *numbers);
    if (!runs) return fail(runs.error().message, kFailed);
    const Comparison comparison = compareRuns(*runs, builtinCatalog());
    if (!arguments.html.empty())
      if (const int code = writePage(arguments, comparison); code != kDone || !arguments.store.json)
        return code;
    print("{}", arguments.store.json ? comparisonJson(comparison, arguments.text.allSettings)
                                     : keptComparisonText(comparison, arguments.text));
    return kDone;
  });
}

}  // namespace

void addRunsCompare(CLI::App& runs, Action& action) {
  auto arguments = std::make_shared<RunsCompareArguments>();
  CLI::App* compare = runs.add_subcommand(
      "compare", "Show kept runs side by side: verdict, figures, settings, conditions");
  compare->footer(
      "Example:  millrace runs compare 9 12\n"
      "          millrace runs compare baseline last --graph\n"
      "The others are compared with the baseline among the runs, or else with the first.");
  compare->add_option("runs", arguments->runs,
                      "Two or more runs: number, beginning of the id, last, or baseline");
  compare->add_flag("--all-settings", arguments->text.allSettings, "Also show equal settings");
  compare->add_flag("--graph", arguments->text.graph,
                    "Show which nodes were added, removed, moved or changed");
  compare->add_option("--metric", arguments->text.metrics, "Show only these figures, by their ids")
      ->type_name("ID,...")
      ->delimiter(',');
  auto* html = compare->add_option("--html", arguments->html,
                                   "Write the comparison as a page with plots instead of printing");
  html->type_name("FILE");
  compare->add_flag("--force", arguments->force, "Replace an existing file")->needs(html);
  arguments->store.addTo(*compare);
  compare->callback(
      [arguments, &action] { action = [arguments] { return compareKept(*arguments); }; });
}

}  // namespace millrace::cli
