// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace check` and `millrace plan`: the problems of a pipeline, and how it would run.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/results/shuffle_json.h"
#include "core/events/stream/event_json.h"
#include "core/measure/order_quality.h"

namespace millrace::cli {

namespace {

struct CheckArguments {
  PipelineArguments pipeline;
  bool order = false;
  bool json = false;
};

std::string problemText(const Problem& problem) {
  Problem head = problem;
  head.remedy.clear();
  std::string text = wrapped(visibleName(head.text()), 4);
  if (!problem.remedy.empty()) text += "    -> " + wrapped(visibleName(problem.remedy), 7, 7);
  return text;
}

std::string verdict(const std::vector<Problem>& problems) {
  const auto errors = static_cast<std::size_t>(
      std::count_if(problems.begin(), problems.end(),
                    [](const Problem& p) { return p.severity == Severity::Error; }));
  const std::size_t warnings = problems.size() - errors;
  if (errors > 0 && warnings > 0)
    return counted(errors, "error") + ", " + counted(warnings, "warning") + "\n";
  if (errors > 0) return counted(errors, "error") + "\n";
  if (warnings > 0) return counted(warnings, "warning") + "; it runs\n";
  return "no problems\n";
}

/// The stream on each wire, named by the node that it leaves.
std::string streamLines(const Plan& plan) {
  std::size_t width = 0;
  for (const CheckedNode& node : plan.pipeline.nodes) width = std::max(width, node.id.size());
  width = std::min<std::size_t>(width, 24);
  std::string text = "stream on each wire, by the node that it leaves\n";
  std::string before;
  for (const CheckedNode& node : plan.pipeline.nodes) {
    if (node.spec->role == NodeRole::Consumer) continue;
    text += fmt::format("  {}  ", fitted(node.id, std::max(width, node.id.size())));
    const std::string stream = visibleName(node.out.text());
    text += stream == before ? "the same\n" : wrapped(stream, width + 4, width + 4);
    before = stream;
  }
  return text;
}

std::string planLines(const Plan& plan) {
  std::string text = "plan\n";
  for (const std::string& line : plan.text()) text += "  " + wrapped(line, 6, 2);
  return text;
}

/// Indents JSON one level deeper.
std::string nested(std::string_view json) {
  std::string text;
  for (const char c : json) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

std::string checkJson(const std::vector<Problem>& problems, const Plan* plan,
                      const std::optional<ShuffleQuality>& order) {
  const std::string planText = plan != nullptr ? planJson(*plan, true) : "null";
  const std::string orderText = order ? ",\n  \"order\": " + nested(shuffleJson(*order, true)) : "";
  return fmt::format("{{\n  \"problems\": {},\n  \"plan\": {}{}\n}}\n",
                     nested(problemsJson(problems, true)), nested(planText), orderText);
}

/// A row of the table of `--order`.
std::string orderRow(std::string_view name, const ShuffleFigure& figure) {
  return fmt::format("  {:<44}{:>10.2f}{:>16.2f}\n", name, figure.value, figure.full);
}

std::string orderLines(const ShuffleQuality& order) {
  std::string text = fmt::format("\n{:<46}{:>10}{:>16}\n", "order of the first epoch", "this order",
                                 "a full shuffle");
  text += orderRow("distance moved, as a share of the epoch", order.distance);
  if (order.classRun) text += orderRow("samples of one class in a row", *order.classRun);
  if (order.fileRun) text += orderRow("samples of one file in a row", *order.fileRun);
  if (!order.batchEntropy)
    return text + "  " + wrapped("The classes are not known before samples are read.", 2, 2);
  text += orderRow("class entropy of a batch, bits", *order.batchEntropy);
  std::string along;
  for (const double entropy : order.entropyAlong) along += fmt::format(" {:.2f}", entropy);
  return text + "  " + wrapped("from the epoch's beginning to its end:" + along, 4, 2);
}

int checkCommand(const CheckArguments& arguments) {
  Problems problems;
  const std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  const Plan* plan = prepared ? &prepared->plan : nullptr;
  std::optional<ShuffleQuality> order;
  if (plan != nullptr && arguments.order) {
    const auto examined = orderQuality(*plan);
    if (!examined) problems.error("", "", examined.error().message, "");
    if (examined) order = *examined;
    if (const auto problem = order ? orderProblem(*order, *plan) : std::nullopt)
      problems.add(*problem);
  }
  if (arguments.json) {
    print("{}", checkJson(problems.all(), plan, order));
  } else {
    for (const Problem& problem : problems.all()) print("{}", problemText(problem));
    if (const std::string how = howToSet(problems.all()); !how.empty())
      print("{}", wrapped(how, 0));
    print("{}", verdict(problems.all()));
    if (plan != nullptr) print("\n{}\n{}", streamLines(*plan), planLines(*plan));
    if (order) print("{}", orderLines(*order));
  }
  return plan != nullptr && (order || !arguments.order) ? kDone : kBadUsage;
}

int planCommand(const CheckArguments& arguments) {
  Problems problems;
  const std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  printProblems(problems.all());
  if (!prepared) return kBadUsage;
  if (arguments.json)
    print("{}\n", planJson(prepared->plan, true));
  else
    print("{}", planLines(prepared->plan));
  return kDone;
}

CLI::App& addCommand(CLI::App& app, Action& action, const char* name, const char* help,
                     const char* footer, int (*command)(const CheckArguments&),
                     const std::shared_ptr<CheckArguments>& arguments) {
  CLI::App* sub = app.add_subcommand(name, help);
  sub->footer(footer);
  arguments->pipeline.addTo(*sub);
  sub->add_flag("--json", arguments->json, "Print one JSON object");
  sub->callback([arguments, &action, command] {
    action = [arguments, command] { return command(*arguments); };
  });
  return *sub;
}

}  // namespace

void addCheck(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  addCommand(
      app, action, "check", "List all problems of a pipeline, or show its streams and plan",
      "Example: does it run with four threads, and which nodes are fused?\n"
      "  millrace check classification --data ~/photos --set workers.count=4\n"
      "Example: does a window of 100 samples mix the classes well enough?\n"
      "  millrace check classification --set shuffle.mode=window --set shuffle.window=100 --order\n"
      "Exit code 0: it runs, perhaps with warnings; 2: it does not.",
      checkCommand, arguments)
      .add_flag("--order", arguments->order,
                "Also show how well an epoch is shuffled; lists all data first");
  addCommand(app, action, "plan", "Show how a pipeline would run: stages, threads, queues",
             "Example:  millrace plan classification --no-fuse\n"
             "Exit code 2: it does not run; the reason is on standard error.",
             planCommand, std::make_shared<CheckArguments>());
}

}  // namespace millrace::cli
