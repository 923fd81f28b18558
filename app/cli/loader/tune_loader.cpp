// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/loader/tune_loader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/run_control.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/metrics/metric_text.h"
#include "core/monitor/environment.h"
#include "core/own_loader/loader_tuning.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kSetColumns = 48;

std::string setText(const LoaderSet& set) {
  std::vector<std::string> words;
  for (const auto& [name, value] : set) words.push_back(fmt::format("{}={}", name, value));
  return words.empty() ? "unchanged" : join(words, ", ");
}

std::string trialLine(const LoaderTrial& trial) {
  const std::string rate =
      trial.failure.empty() ? roundedText(trial.rate) + " samples/s" : visibleText(trial.failure);
  const std::string set = setText(trial.set);
  return labelled(columnsOf(set) < kSetColumns ? fitted(set, kSetColumns) : set + "  ", rate,
                  kIndent + kSetColumns + kGap);
}

/// Settings of a tf.data.Dataset as lines for the user's file.
std::string pastableInTfdata(const LoaderSet& set) {
  std::string calls;
  std::string last;
  for (const auto& [name, value] : set) {
    const std::string number = value == "auto" ? "tf.data.AUTOTUNE" : value;
    if (name == "parallel_calls") calls += ", num_parallel_calls=" + number;
    if (name == "deterministic")
      calls += value == "true" ? ", deterministic=True" : ", deterministic=False";
    if (name == "cache" && value == "true")
      last +=
          "  .cache()  # after the last map before the first shuffle, batch or random function\n";
    if (name == "prefetch") last += fmt::format("  .prefetch({})  # at the end\n", number);
    if (name == "threads")
      last += fmt::format(
          "  options = tf.data.Options()\n  options.threading.private_threadpool_size = {}\n  "
          "ds = ds.with_options(options)\n",
          value);
  }
  if (!calls.empty()) calls = fmt::format("  .map(...{})  # each map and interleave\n", calls);
  return calls + last;
}

std::string inPython(const std::string& value) {
  return value == "true" ? "True" : value == "false" ? "False" : value;
}

/// Attributes of a Keras PyDataset as lines for the user's file.
std::string pastableInKeras(const LoaderSet& set) {
  std::string lines;
  for (const auto& [name, value] : set)
    lines += fmt::format("  dataset.{} = {}  # before fit\n", name, inPython(value));
  return lines;
}

/// The arguments as lines for the user's file.
std::string pastable(const LoaderSet& set, std::string_view what) {
  if (what == kTfData) return pastableInTfdata(set);
  if (what == kKeras) return pastableInKeras(set);
  std::string arguments;
  std::string function;
  for (const auto& [name, value] : set) {
    if (name == "worker_threads") {
      function = fmt::format(
          "  def few_threads(worker):\n      torch.set_num_threads({0})\n      "
          "cv2.setNumThreads({0})  # if the file uses OpenCV\n\n",
          value);
      arguments += ", worker_init_fn=few_threads";
    } else if (name == "start_method") {
      arguments += fmt::format(", multiprocessing_context=\"{}\"", value);
    } else {
      arguments += fmt::format(", {}={}", name, inPython(value));
    }
  }
  return fmt::format("{}  DataLoader(...{})\n", function, arguments);
}

std::string tunedText(const LoaderTuned& tuned, const std::string& name) {
  if (tuned.stopped) return "Stopped; the best arguments so far were not measured again.\n";
  if (tuned.best.empty()) return "No other argument made it faster by 4 % or more.\n";
  const Verdict& verdict = tuned.verdict;
  std::string text = wrapped(
      describe(verdict, "unchanged", fmt::format("{} with {}", name, setText(tuned.best))) + ".",
      0);
  if (verdict.kind != VerdictKind::Faster) return text + "Keep the arguments that you have.\n";
  return text + "Change in your file:\n" + pastable(tuned.best, tuned.facts.ready.what);
}

std::string tunedJson(const LoaderTuned& tuned) {
  using Json = nlohmann::ordered_json;
  const auto object = [](const LoaderSet& set) {
    Json json = Json::object();
    for (const auto& [name, value] : set) json[name] = value;
    return json;
  };
  Json trials = Json::array();
  for (const LoaderTrial& trial : tuned.trials)
    trials.push_back({{"set", object(trial.set)},
                      {"samples_per_second", trial.rate},
                      {"failure", validUtf8(trial.failure)}});
  Json json = {{"stopped", tuned.stopped}, {"trials", trials}, {"best", object(tuned.best)}};
  if (!tuned.best.empty() && !tuned.stopped) {
    json["verdict"] = nameOf(tuned.verdict.kind);
    if (tuned.verdict.ratio) json["ratio"] = *tuned.verdict.ratio;
  }
  return json.dump() + "\n";
}

}  // namespace

int tuneLoader(const LoaderArguments& arguments) {
  const auto settings = arguments.settings();
  if (!settings) return fail(settings.error().message, kBadUsage);
  LoaderTuning::Settings tuning{settings->loader};
  if (arguments.seconds) tuning.seconds = *arguments.seconds;
  tuning.coresUsable = readEnvironment().coresUsable;
  LoaderTuning search(tuning, [&](const LoaderTrial& trial) {
    if (arguments.json) return;
    print("{}", trialLine(trial));
    flushOutput();
  });
  const Result<LoaderTuned> tuned = [&] {
    const InterruptWatch interrupts([&search] { search.stop(); });
    return search.run();
  }();
  if (!tuned) return fail(tuned.error().message, kBadUsage);
  print("{}", arguments.json ? tunedJson(*tuned)
                             : tunedText(*tuned, visibleText(shownName(settings->loader))));
  return tuned->stopped ? kInterrupted : kDone;
}

}  // namespace millrace::cli
