// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace sweep`: measures a pipeline with many settings and reports which is the fastest.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/stop_requests.h"
#include "app/cli/sweep/sweep_check.h"
#include "app/cli/sweep/sweep_events.h"
#include "app/cli/sweep/sweep_keeper.h"
#include "app/cli/sweep/sweep_outcome.h"
#include "app/cli/sweep/sweep_progress.h"
#include "app/cli/sweep/sweep_trial.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/jobs/common/machine_warnings.h"

namespace millrace::cli {

namespace {

/// One sweep, from its checked plan to its exit code.
class SweepJob final : public SweepObserver {
 public:
  SweepJob(const SweepArguments& arguments, const SweepMeaning& meaning, PreparedSweep sweep)
      : m_arguments(arguments),
        m_meaning(meaning),
        m_sweep(std::move(sweep)),
        m_progress(!arguments.events && isatty(STDERR_FILENO) != 0,
                   [this](std::size_t point) { return m_sweep.plan.settings(point); }),
        m_runner(m_sweep.plan, m_sweep.graph, arguments, meaning,
                 {[this](const SnapshotEvent& snapshot) { m_progress.snapshot(snapshot); },
                  [this](double most) {
                    m_progress.waiting(most);
                    if (m_events) m_events->waiting(most);
                  }}) {
    m_points.resize(m_sweep.plan.points.size());
  }

  int go(const std::vector<Problem>& warnings) {
    if (const auto refused = beginKeeping()) return *refused;
    if (m_arguments.events) m_events.emplace();
    for (const Problem& warning : warnings)
      if (m_events) m_events->problem(warning);
    const std::string experiment = m_keeper ? m_keeper->experiment() : "";
    if (m_events)
      m_events->sweep(m_sweep.plan, experiment, m_arguments.blocks(), m_points, runIds());
    sayWhatComes();
    return finish(measure());
  }

  void onTrial(const TrialStep& step) override {
    if (m_keeper) m_keeper->beginTrial(step.point);
    m_progress.step(step);
    if (m_events) m_events->trialBegun(step, m_keeper ? m_keeper->runId(step.point) : "");
  }
  void onMeasured(const TrialStep& step, const SpanFigures& figures) override {
    m_points[step.point].repeats.push_back(figures);
    const SpanFigures all = combineRepeats(m_points[step.point].repeats);
    if (m_keeper)
      m_keeper->keepTrial(step.point, step.block, step.block + 1 == m_arguments.blocks(),
                          m_runner.telling(), all);
    if (m_events)
      m_events->trialEnded(step,
                           {"measured", "", figures.samplesPerSecond.mean, all.samplesPerSecond});
  }
  void onReplaced(const TrialStep& step, const SpanFigures& figures) override {
    if (m_keeper) m_keeper->dropTrial(step.point);
    if (m_events) m_events->trialEnded(step, {"replaced", "", figures.samplesPerSecond.mean, {}});
  }
  void onFailed(const TrialStep& step, const std::string& reason) override {
    const SpanFigures all = combineRepeats(m_points[step.point].repeats);
    if (m_keeper) m_keeper->failTrial(step.point, reason, all);
    m_progress.clear();
    fmt::print(stderr, "{}",
               wrapped(fmt::format("{}: {}", singleLine(m_sweep.plan.settings(step.point)),
                                   singleLine(reason)),
                       4));
    if (m_events)
      m_events->trialEnded(step, {"failed", reason, std::nullopt, all.samplesPerSecond});
  }

 private:
  SweepSubject subject() const {
    SweepSubject subject;
    subject.plan = &m_sweep.plan;
    subject.graph = &m_sweep.graph;
    subject.settings = settingsOf(m_sweep.prepared.plan);
    subject.pipeline = m_arguments.pipeline.pipeline;
    subject.labels = m_arguments.keep.labels;
    subject.blocks = m_arguments.blocks();
    subject.facts = m_facts;
    return subject;
  }

  /// Done once, before anything is measured, so that it disturbs no trial.
  void findFacts() {
    const std::shared_ptr<const Source>& source = m_sweep.prepared.plan.pipeline.source;
    m_facts = machineFacts(*source);
    for (auto& fact : measureFacts(m_meaning.measure, !m_arguments.pipeline.noFuse))
      m_facts.push_back(std::move(fact));
    // Settings of the source may select other data.
    const std::string& id = m_sweep.prepared.plan.pipeline.nodes.front().id;
    if (std::ranges::count(m_sweep.plan.axes, id, &SweepAxis::node) > 0) return;
    for (auto& fact : FingerprintJob(source).take()) m_facts.push_back(std::move(fact));
  }

  /// Returns an exit code if the sweep cannot begin.
  std::optional<int> beginKeeping() {
    if (m_arguments.keep.noStore) return std::nullopt;
    findFacts();
    const std::filesystem::path file = m_arguments.keep.file();
    if (m_arguments.resume) {
      Result<StoppedSweep> stopped = stoppedSweep(file, subject(), m_arguments.resumed);
      if (!stopped) return refuse(stopped.error().message);
      m_points = stopped->points;
      auto keeper = SweepKeeper::goOn(file, subject(), *stopped);
      if (!keeper) return refuse(keeper.error().message);
      m_keeper = keeper.take();
      return std::nullopt;
    }
    bool taken = false;
    auto keeper = SweepKeeper::begin(file, subject(), taken);
    if (keeper)
      m_keeper = keeper.take();
    else if (taken)
      return refuse(keeper.error().message +
                    "; continue it with --resume, or begin another with --experiment");
    else
      fmt::print(stderr, "warning: this sweep is not kept: {}\n",
                 validUtf8(keeper.error().message));
    return std::nullopt;
  }

  double secondsPerTrial() const {
    return m_meaning.measure.warmupSeconds + m_meaning.measure.seconds.value_or(1) + 0.3;
  }

  void sayWhatComes() const {
    if (m_arguments.events || m_arguments.json) return;
    std::size_t trials = 0;
    for (const PointState& point : m_points)
      if (!point.failed()) trials += m_arguments.blocks() - point.repeats.size();
    // The duration of a number of batches is known after the first of them.
    const std::string about =
        m_arguments.batches
            ? ""
            : ", about " + humanSeconds(std::ceil(static_cast<double>(trials) * secondsPerTrial()));
    fmt::print(stderr, "{} settings, {} trials{}\n", m_points.size(), trials, about);
  }

  SweepResult measure() {
    SweepSettings settings;
    settings.blocks = m_arguments.blocks();
    settings.seed = m_sweep.plan.seed;
    // On a busy machine a sweep takes at most a quarter longer.
    settings.mostReplaced = m_points.size() * settings.blocks / 4;
    settings.secondsPerTrial = secondsPerTrial();
    SweepMeasurement measurement(m_runner, settings, *this, m_points);
    const auto stop = [&measurement] { measurement.stop(); };
    const InterruptWatch interrupts(stop);
    std::optional<RequestReader> requests;
    if (m_events) requests.emplace(stopRequests(*m_events, stop));
    SweepResult result = measurement.run();
    m_progress.clear();
    return result;
  }

  /// One for each setting; empty texts: not kept, or not begun.
  std::vector<std::string> runIds() const {
    std::vector<std::string> ids;
    for (std::size_t p = 0; p < m_points.size(); ++p)
      ids.push_back(m_keeper ? m_keeper->runId(p) : std::string());
    return ids;
  }

  SweepOutcome outcomeOf(SweepResult result) const {
    SweepOutcome outcome;
    outcome.plan = &m_sweep.plan;
    outcome.pipeline = m_arguments.pipeline.pipeline;
    outcome.blocks = m_arguments.blocks();
    outcome.result = std::move(result);
    outcome.finding = analyseSweep(m_sweep.plan, outcome.result.points);
    if (m_keeper) outcome.experiment = m_keeper->experiment();
    outcome.runIds = runIds();
    if (!outcome.finding.best) return outcome;
    outcome.next = runCommandOf(m_arguments, m_sweep.plan, *outcome.finding.best);
    if (!m_sweep.plan.points[*outcome.finding.best].current)
      outcome.compare = compareCommandOf(m_arguments, m_sweep.plan, *outcome.finding.best);
    return outcome;
  }

  int finish(SweepResult result) {
    const SweepOutcome outcome = outcomeOf(std::move(result));
    if (m_keeper) m_keeper->finish(outcome.finding.figures);
    if (m_events)
      m_events->result(sweepJson(outcome, false));
    else if (m_arguments.json)
      fmt::print("{}\n", sweepJson(outcome, true));
    else
      fmt::print("{}", sweepText(outcome));
    std::fflush(stdout);
    Status written;
    if (!m_arguments.csv.empty())
      written = writeWholeFile(m_arguments.csv, sweepCsv(outcome), IfThere::Replace);
    if (!written) fmt::print(stderr, "error: --csv: {}\n", validUtf8(written.error().message));
    if (outcome.result.stopped) return interrupted();
    return written && outcome.finding.best ? kDone : kFailed;
  }

  int interrupted() const {
    if (m_keeper)
      fmt::print(stderr, "stopped; continue with:\n  {} --resume\n",
                 validUtf8(sweepCommand(m_arguments)));
    else
      fmt::print(stderr, "stopped; it was not kept and cannot be continued\n");
    return kInterrupted;
  }

  const SweepArguments& m_arguments;
  const SweepMeaning& m_meaning;
  const PreparedSweep m_sweep;
  SweepProgress m_progress;
  SweepTrialRunner m_runner;
  Facts m_facts;
  std::vector<PointState> m_points;  ///< as far as this thread was notified
  std::unique_ptr<SweepKeeper> m_keeper;
  std::optional<SweepEvents> m_events;
};

int sweepCommandAction(SweepArguments& arguments) {
  if (!arguments.file.empty())
    if (const Status read = readSweepFile(arguments); !read) return refuse(read.error().message);
  if (arguments.pipeline.pipeline.empty())
    return refuse(
        "a sweep needs a PIPELINE (a file, an example's name, or -), or a --file that "
        "names one");
  if (arguments.resume && arguments.keep.noStore)
    return refuse("--resume continues a kept sweep: leave out --no-store");
  const Result<SweepMeaning> meaning = meaningOf(arguments);
  if (!meaning) return refuse(meaning.error().message);
  if (!arguments.csv.empty())
    if (const Status may = mayWrite(arguments.csv, IfThere::Replace); !may)
      return refuse("--csv: " + may.error().message);
  Problems problems;
  std::optional<PreparedSweep> sweep = prepareSweep(arguments, meaning->design, problems);
  if (sweep) warnOfMachine(problems);
  printProblems(problems.all());
  if (!sweep) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return SweepJob(arguments, *meaning, std::move(*sweep)).go(problems.all());
}

void addPlanOptions(CLI::App& sweep, SweepArguments& a) {
  a.pipeline.addTo(sweep);
  sweep.get_option("pipeline")->required(false);
  sweep.get_option("--seed")->description("Seed of all random draws, of the plan and of the order");
  sweep
      .add_option("--vary", a.vary,
                  "A parameter and its values: 1,2,4, 1..16, 1..16:2, 16..256:x2 or *")
      ->type_name("NODE.PARAM=VALUES")
      ->allow_extra_args(false);
  sweep.add_option("--plan", a.plan, "full (all settings), random:N or latin:N (full)")
      ->type_name("PLAN");
  sweep.add_option("--random", a.random, "Measure N settings drawn at random")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  sweep.add_option("--latin", a.latin, "Measure N settings of a Latin hypercube")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  sweep.add_option("--file", a.file, "Read arguments from this JSON file; flags override it")
      ->type_name("FILE");
}

void addMeasureOptions(CLI::App& sweep, SweepArguments& a) {
  sweep
      .add_option("--repeats", a.repeats, "Number of blocks; each setting runs once per block (3)")
      ->check(CLI::Range(1, 1000));
  auto* seconds = sweep.add_option("--seconds", a.seconds, "Length of each measurement (5)")
                      ->check(CLI::PositiveNumber);
  sweep.add_option("--batches", a.batches, "Measure this many batches instead")
      ->check(CLI::PositiveNumber)
      ->excludes(seconds);
  sweep.add_option("--warmup", a.warmup, "Seconds before each measurement, not counted (2)")
      ->check(CLI::NonNegativeNumber);
  a.maxFailures.addTo(sweep);
  sweep
      .add_option("--trial-timeout", a.trialTimeout,
                  "A trial that takes longer fails (60 s plus ten times its length)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  sweep
      .add_option("--trial-memory", a.trialMemory,
                  "A trial that uses more memory fails, such as 2G")
      ->type_name("BYTES");
}

void addOutputOptions(CLI::App& sweep, SweepArguments& a) {
  a.keep.labels.experiment.clear();
  a.keep.addTo(sweep, "the runs");
  sweep.get_option("--experiment")->description("Experiment that groups the runs (a new one)");
  sweep.add_option("--csv", a.csv, "Write every setting and its figures to this file")
      ->type_name("FILE");
  auto* json = sweep.add_flag("--json", a.json, "Print the result as one JSON object");
  sweep.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

}  // namespace

void addSweep(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* sweep =
      app.add_subcommand("sweep", "Measure a pipeline with many settings and find the fastest");
  sweep->footer(
      "Example: which number of workers and which batch size are fastest?\n"
      "  millrace sweep classification --vary workers.count=1..4 --vary batch.size=16..64:x2\n"
      "Every setting runs once per block, in random order and in a separate process. If it\n"
      "crashes, hangs or uses too much memory, that is its result, and the sweep continues. The\n"
      "current setting is also measured. Ctrl+C stops (exit code 3) and keeps all trials except\n"
      "the running one; --resume continues from there, also after a kill or a restart.");
  addPlanOptions(*sweep, *arguments);
  addMeasureOptions(*sweep, *arguments);
  addOutputOptions(*sweep, *arguments);
  auto* resume = sweep
                     ->add_option("--resume", arguments->resumed,
                                  "Continue the last stopped sweep of these settings")
                     ->type_name("[EXPERIMENT]")
                     ->expected(0, 1);
  sweep->callback([arguments, resume, &action] {
    arguments->resume = resume->count() > 0;
    action = [arguments] { return sweepCommandAction(*arguments); };
  });
}

}  // namespace millrace::cli
