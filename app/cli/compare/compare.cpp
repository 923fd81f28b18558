// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace compare`: two pipelines measured together.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/machine_warnings.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/common/wait_events.h"
#include "app/cli/compare/comparison_events.h"
#include "app/cli/compare/comparison_keeper.h"
#include "app/cli/compare/comparison_outcome.h"
#include "app/cli/compare/comparison_progress.h"
#include "app/cli/compare/comparison_sides.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_flags.h"
#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/measure/observers.h"
#include "core/measure/store_figures.h"
#include "core/tune/plan_measurer.h"

namespace millrace::cli {

namespace {

struct CompareArguments {
  SideArguments sides;
  std::optional<std::size_t> blocks;
  std::optional<double> seconds;
  std::optional<double> warmup;
  FailureFlag maxFailures;
  FailureLimit failureLimit;
  KeepFlags keep;
  bool resume = false;
  bool json = false;
  bool events = false;
};

/// The command that continues a stopped comparison.
std::string resumeCommand(const CompareArguments& a) {
  std::string text =
      "millrace compare " + shellWord(a.sides.names[0]) + " " + shellWord(a.sides.names[1]);
  for (const std::string& data : a.sides.data) text += " --data " + shellWord(data);
  for (const std::string& setting : a.sides.settings) text += " --set " + shellWord(setting);
  text += a.sides.both.suggestedReading();
  if (a.maxFailures.text != FailureFlag().text)
    text += " --max-failures " + shellWord(a.maxFailures.text);
  return text + a.keep.suggested() + " --resume";
}

/// The parameters of the measurement, in the form in which they are kept.
ComparisonRecord recordOf(const CompareArguments& arguments) {
  ComparisonRecord record;
  record.seed = arguments.sides.both.seed.value_or(std::random_device()());
  record.warmupSeconds = arguments.warmup.value_or(MeasureSettings().warmupSeconds);
  record.seconds = arguments.seconds.value_or(*MeasureSettings().seconds);
  const BlockRule usual;
  record.blocks = static_cast<std::int64_t>(arguments.blocks.value_or(usual.blocks));
  record.moreBlocks = arguments.blocks ? 0 : static_cast<std::int64_t>(usual.more);
  return record;
}

/// Finds a flag that contradicts the comparison to be continued.
std::optional<std::string> contradiction(const CompareArguments& a, const ComparisonRecord& begun) {
  const auto differs = [](const char* flag, auto asked, auto was) -> std::optional<std::string> {
    if (!asked || static_cast<double>(*asked) == static_cast<double>(was)) return std::nullopt;
    return fmt::format(
        "{} {}: the stopped comparison has {}; leave {} out to continue it, or "
        "leave out --resume to begin a new one",
        flag, *asked, was, flag);
  };
  if (const auto wrong = differs("--seconds", a.seconds, begun.seconds)) return wrong;
  if (const auto wrong = differs("--warmup", a.warmup, begun.warmupSeconds)) return wrong;
  return differs("--repeats", a.blocks, begun.blocks);
}

/// Prints samples that failed, and counts the distinct ones of each side.
class FailureNotes final : public RunObserver {
 public:
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    if (total > m_total) m_failures.insert(m_failures.end(), failures.begin(), failures.end());
    m_total = std::max(m_total, total);
  }
  void addTo(RunResult& result) const {
    result.failures = m_failures;
    result.figures.failedSamples = m_total;
  }

 private:
  std::vector<FailedSample> m_failures;
  std::uint64_t m_total = 0;
};

/// One comparison, from prepared sides to its exit code.
class ComparisonJob final : public BlockObserver {
 public:
  ComparisonJob(const CompareArguments& arguments, ComparisonSides sides)
      : m_arguments(arguments),
        m_sides(std::move(sides)),
        m_record(recordOf(arguments)),
        m_progress(!arguments.events && isatty(STDERR_FILENO) != 0) {}

  int go(const std::vector<Problem>& warnings) {
    if (m_arguments.events) m_events.emplace();
    MeasuredBlocks begun;
    setMeasureFacts();
    if (m_arguments.resume) {
      Result<StoppedComparison> stopped = stoppedComparison(m_arguments.sides.store, m_sides);
      if (!stopped) return refuse(stopped.error().message);
      if (const auto wrong = contradiction(m_arguments, stopped->record)) return refuse(*wrong);
      m_record = stopped->record;
      begun = stopped->measured;
      setMeasureFacts();
      keep(ComparisonKeeper::goOn(m_arguments.sides.store, m_sides, *stopped));
    } else if (!m_arguments.keep.noStore) {
      keep(ComparisonKeeper::begin(m_arguments.sides.store, m_arguments.keep.labels, m_sides,
                                   m_record));
    }
    std::vector<std::string> differs = notAlikeIn(m_sides);
    for (const Problem& warning : warnings)
      if (m_events) m_events->problem(warning);
    for (const std::string& what : differs) warn("the two sides are not comparable: " + what);
    if (const std::string streams = differentStreams(m_sides); !streams.empty()) warn(streams);
    const BlockResult blocks = measure(std::move(begun));
    m_progress.clear();
    return finish(outcomeOf(blocks, rule(), std::move(differs)));
  }

  void onStep(const BlockStep& step) override {
    m_progress.step(step);
    if (m_events) m_events->step(step);
  }
  void onBlock(std::size_t index, const MeasuredBlock& block) override {
    if (m_keeper) m_keeper->keepBlock(index);
    if (m_events) m_events->block(block, false);
  }
  void onReplaced(const MeasuredBlock& block) override {
    if (m_keeper) m_keeper->replaceBlock();
    if (m_events) m_events->block(block, true);
    const auto side = std::ranges::find_if(
        block.sides, [](const SpanFigures& figures) { return !disturbancesIn(figures).empty(); });
    if (side == block.sides.end()) return;
    m_progress.clear();
    fmt::print(stderr, "{}: this block will be measured again\n",
               join(disturbancesIn(*side), "; "));
  }

 private:
  BlockRule rule() const {
    return {static_cast<std::size_t>(m_record.blocks),
            static_cast<std::size_t>(m_record.moreBlocks)};
  }

  void warn(const std::string& text) {
    if (m_events) m_events->problem({Severity::Warning, "", "", text, ""});
    fmt::print(stderr, "{}", wrapped("warning: " + validUtf8(text), 4));
  }

  void keep(Result<std::unique_ptr<ComparisonKeeper>> keeper) {
    if (keeper)
      m_keeper = keeper.take();
    else
      fmt::print(stderr, "warning: this comparison is not kept: {}\n",
                 validUtf8(keeper.error().message));
  }

  BlockSettings blockSettings() const {
    BlockSettings settings;
    settings.sides = m_sides.size();
    settings.seed = m_record.seed;
    settings.wanted = [rule = rule()](const MeasuredBlocks& measured) {
      return blocksWanted(rule, measured);
    };
    // If another program uses a fifth of a core's time, half of the blocks are disturbed.
    settings.mostReplaced = 2 * rule().blocks;
    settings.secondsPerRepeat = m_record.warmupSeconds + m_record.seconds;
    return settings;
  }

  MeasureSettings measureSettings() const {
    MeasureSettings settings;
    settings.warmupSeconds = m_record.warmupSeconds;
    settings.seconds = m_record.seconds;
    settings.noRandom = m_arguments.sides.both.noRandom;
    settings.failureLimit = m_arguments.failureLimit;
    settings.watchPageCache = true;
    settings.awaitCores = true;
    return settings;
  }

  /// Sets the facts about how it is measured again, for a stopped comparison.
  void setMeasureFacts() {
    const bool fused = !m_arguments.sides.both.noFuse;
    for (const auto& side : m_sides)
      for (auto& [key, value] : measureFacts(measureSettings(), fused)) side->setFact(key, value);
  }

  BlockResult measure(MeasuredBlocks begun) {
    std::vector<PlanSide> plans;
    std::array<Observers, 2> observers;
    std::optional<WaitEvents> waits;
    if (m_events) waits.emplace(*m_events);
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
      observers[i].add(m_progress);
      observers[i].add(m_failures[i]);
      if (waits) observers[i].add(*waits);
      if (m_keeper) observers[i].add(m_keeper->observer(i));
      plans.push_back({&m_sides[i]->prepared.plan, &m_sides[i]->caches, &observers[i]});
    }
    PlanMeasurer measurer(std::move(plans), measureSettings());
    BlockMeasurement measurement(measurer, blockSettings(), *this, std::move(begun));
    const InterruptWatch interrupts([&measurement] { measurement.stop(); });
    std::optional<RequestReader> requests;
    if (m_events) requests.emplace(m_events->handlers([&measurement] { measurement.stop(); }));
    return measurement.run();
  }

  int finish(ComparisonOutcome outcome) {
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
      outcome.results[i].environment = m_sides[i]->facts;
      m_failures[i].addTo(outcome.results[i]);
    }
    outcome.differences = differencesOf(m_sides);
    if (m_keeper) {
      m_keeper->finish(outcome.results);
      outcome.runIds = {m_keeper->runId(0), m_keeper->runId(1)};
      outcome.storeFlag = m_arguments.keep.suggested();
    }
    if (m_events)
      m_events->result(comparisonJson(outcome, m_sides, false));
    else if (m_arguments.json)
      fmt::print("{}\n", comparisonJson(outcome, m_sides, true));
    else
      fmt::print("{}", comparisonText(outcome, m_sides));
    if (outcome.outcome == RunOutcome::Interrupted) return interrupted();
    if (outcome.outcome == RunOutcome::Finished) return kDone;
    if (m_events || m_arguments.json) fmt::print(stderr, "error: {}\n", validUtf8(outcome.reason));
    return kFailed;
  }

  int interrupted() const {
    std::fflush(stdout);
    if (m_keeper)
      fmt::print(stderr, "stopped; continue with:\n  {}\n", validUtf8(resumeCommand(m_arguments)));
    else
      fmt::print(stderr, "stopped; it was not kept and cannot be continued\n");
    return kInterrupted;
  }

  const CompareArguments& m_arguments;
  ComparisonSides m_sides;
  ComparisonRecord m_record;
  ComparisonProgress m_progress;
  std::array<FailureNotes, 2> m_failures;
  std::unique_ptr<ComparisonKeeper> m_keeper;
  std::optional<ComparisonEvents> m_events;
};

int compareCommand(CompareArguments& arguments) {
  const Result<FailureLimit> limit = arguments.maxFailures.limit();
  if (!limit) return refuse(limit.error().message);
  arguments.failureLimit = *limit;
  arguments.sides.store = arguments.keep.file();
  Problems problems;
  std::optional<ComparisonSides> sides = prepareSides(arguments.sides, problems);
  if (sides) warnOfMachine(problems);
  printProblems(problems.all());
  if (!sides) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return ComparisonJob(arguments, std::move(*sides)).go(problems.all());
}

void addSideOptions(CLI::App& compare, SideArguments& sides) {
  const char* what = "A file, an example's name, a kept run (12, #12, last) or -";
  compare.add_option("A", sides.names[0], what)->required();
  compare.add_option("B", sides.names[1], what)->required();
  compare.add_option("--data", sides.data, "Read this data, on both sides or on one")
      ->type_name("[A:|B:]PATH")
      ->allow_extra_args(false);
  compare.add_option("--set", sides.settings, "Set a parameter, on both sides or on one")
      ->type_name("[A:|B:]NODE.PARAM=VALUE")
      ->allow_extra_args(false);
  sides.both.addReadingTo(compare);
  compare.get_option("--seed")->description(
      "Seed of all random draws and of the order within blocks");
}

void addMeasureOptions(CLI::App& compare, CompareArguments& a) {
  compare
      .add_option("--repeats", a.blocks, "Number of blocks (5, and 5 more if they do not decide)")
      ->check(CLI::Range(1, 1000));
  compare.add_option("--seconds", a.seconds, "Length of each measurement (5)")
      ->check(CLI::PositiveNumber);
  compare.add_option("--warmup", a.warmup, "Seconds before each measurement, not counted (2)")
      ->check(CLI::NonNegativeNumber);
  a.maxFailures.addTo(compare);
  a.keep.addTo(compare, "the runs");
  compare.get_option("--store")->description(
      "Keep the runs in this file, and look up kept runs there");
  compare.add_flag("--resume", a.resume, "Continue the last stopped comparison of these two")
      ->excludes(compare.get_option("--no-store"));
  auto* json = compare.add_flag("--json", a.json, "Print the result as one JSON object");
  compare.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

}  // namespace

void addCompare(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* compare =
      app.add_subcommand("compare", "Measure two pipelines together and report which is faster");
  compare->footer(
      "Examples: do four workers beat two? Is an edited file faster than the last run?\n"
      "  millrace compare classification classification --set A:workers.count=2 \\\n"
      "      --set B:workers.count=4\n"
      "  millrace compare last edited.millrace.json\n"
      "The two run in alternation, in blocks with random order, for one or two minutes in all.\n"
      "A disturbed block is measured again: if other programs used more than 3 % of the cores or\n"
      "the same disk, if a core changed its speed, or if the page cache took in data. There are\n"
      "at most twice as many repetitions as blocks.\n"
      "Ctrl+C stops and keeps completed blocks (exit code 3); --resume continues from there.");
  addSideOptions(*compare, arguments->sides);
  addMeasureOptions(*compare, *arguments);
  compare->callback(
      [arguments, &action] { action = [arguments] { return compareCommand(*arguments); }; });
}

}  // namespace millrace::cli
