// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_tuning.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace millrace {

namespace {

/// What a value must gain to be kept: less may be chance in one short measurement.
constexpr double kWorthwhile = 1.04;

/// What is known when an argument is varied.
struct Situation {
  LoaderReady loader;     ///< unchanged
  std::uint64_t cores;    ///< whole ones
  std::uint64_t workers;  ///< with the best arguments so far
  bool restarts;          ///< with those, workers start again in each epoch
};

/// An argument that is varied, and the values that are tried in a situation. None: it does not
/// apply.
struct Knob {
  std::string_view what;  ///< LoaderReady::what
  const char* name;
  std::vector<std::string> (*values)(const Situation&);
};

std::vector<std::string> workerCounts(const Situation& now) {
  std::vector<std::string> counts;
  for (std::uint64_t count = 1; count <= 2 * now.cores; count *= 2)
    if (count != now.loader.workers) counts.push_back(std::to_string(count));
  if (now.loader.workers != 0) counts.emplace_back("0");
  return counts;
}

std::vector<std::string> withWorkers(const Situation& now, std::vector<std::string> values) {
  return now.workers > 0 ? values : std::vector<std::string>();
}

/// What only concerns the start of workers.
std::vector<std::string> withRestarts(const Situation& now, std::vector<std::string> values) {
  return now.restarts ? withWorkers(now, std::move(values)) : std::vector<std::string>();
}

/// In the order in which they are varied: the number of workers decides whether the others matter.
const Knob kKnobs[] = {
    {kDataLoader, "num_workers", workerCounts},
    {kDataLoader, "persistent_workers",
     [](const Situation& now) { return withRestarts(now, {"true"}); }},
    {kDataLoader, "worker_threads", [](const Situation& now) { return withWorkers(now, {"1"}); }},
    {kDataLoader, "prefetch_factor",
     [](const Situation& now) { return withWorkers(now, {"4", "8"}); }},
    {kDataLoader, "start_method",
     [](const Situation& now) { return withRestarts(now, {"forkserver", "spawn"}); }},
    {kKeras, "workers", workerCounts},
    {kKeras, "use_multiprocessing",
     [](const Situation& now) { return withWorkers(now, {"true"}); }},
    {kTfData, "parallel_calls",
     [](const Situation& now) {
       return std::vector<std::string>{"auto", std::to_string(now.cores)};
     }},
    {kTfData, "prefetch", [](const Situation&) { return std::vector<std::string>{"auto"}; }},
    {kTfData, "deterministic", [](const Situation&) { return std::vector<std::string>{"false"}; }},
    {kTfData, "cache", [](const Situation&) { return std::vector<std::string>{"true"}; }},
};

LoaderSet with(LoaderSet set, const std::string& name, const std::string& value) {
  const auto found = std::ranges::find(set, name, &LoaderSet::value_type::first);
  if (found != set.end())
    found->second = value;
  else
    set.emplace_back(name, value);
  return set;
}

std::uint64_t workersOf(const LoaderSet& set, std::uint64_t otherwise) {
  const auto found = std::ranges::find_if(
      set, [](const auto& knob) { return knob.first == "num_workers" || knob.first == "workers"; });
  return found == set.end() ? otherwise : std::stoull(found->second);
}

/// Keeps what the first batch showed.
class FactsObserver final : public LoaderRunObserver {
 public:
  explicit FactsObserver(LoaderFacts& facts) : m_facts(facts) {}
  void onLoader(const LoaderFacts& facts) override { m_facts = facts; }

 private:
  LoaderFacts& m_facts;
};

}  // namespace

LoaderTuning::LoaderTuning(Settings settings, std::function<void(const LoaderTrial&)> onTrial)
    : m_settings(std::move(settings)), m_onTrial(std::move(onTrial)) {}

Result<LoaderTuned> LoaderTuning::run() {
  MILLRACE_ASSIGN_OR_RETURN(m_bestRate, rateWith({}, m_result.facts));
  const std::string& what = m_result.facts.ready.what;
  if (std::ranges::find(kKnobs, what, &Knob::what) == std::end(kKnobs))
    return Error{
        fmt::format("{}: only the arguments of a PyTorch DataLoader or a Keras PyDataset and the "
                    "settings of a tf.data.Dataset can be varied, and this is: {}",
                    shownName(m_settings.loader), what)};
  m_result.trials.push_back({{}, m_bestRate, {}});
  m_onTrial(m_result.trials.back());
  const auto cores = static_cast<std::uint64_t>(std::max(1.0, std::round(m_settings.coresUsable)));
  for (const Knob& knob : kKnobs) {
    const auto& fixed = m_settings.loader.set;
    if (knob.what != what || std::ranges::find(fixed, std::string(knob.name),
                                               &LoaderSet::value_type::first) != fixed.end())
      continue;
    const LoaderReady& ready = m_result.facts.ready;
    const bool stay = std::ranges::find(m_result.best, std::string("persistent_workers"),
                                        &LoaderSet::value_type::first) != m_result.best.end();
    vary(knob.name, knob.values({ready, cores, workersOf(m_result.best, ready.workers),
                                 ready.restarts && !stay}));
  }
  if (!m_result.best.empty() && !stopped()) MILLRACE_TRY(compare());
  m_result.stopped = stopped();
  return m_result;
}

void LoaderTuning::vary(const std::string& name, const std::vector<std::string>& values) {
  const LoaderSet before = m_result.best;
  for (const std::string& value : values) {
    if (stopped()) return;
    LoaderTrial trial = tried(with(before, name, value));
    if (stopped()) return;
    if (trial.rate > m_bestRate * kWorthwhile) {
      m_bestRate = trial.rate;
      m_result.best = trial.set;
    }
    m_onTrial(trial);
    m_result.trials.push_back(std::move(trial));
  }
}

LoaderTrial LoaderTuning::tried(const LoaderSet& set) {
  LoaderFacts facts;
  const auto rate = rateWith(set, facts);
  if (!rate) return {set, 0, rate.error().message};
  return {set, *rate, {}};
}

/// The order within a block alternates, so that a slow change of the machine does not favour one.
Status LoaderTuning::compare() {
  std::vector<double> before;
  std::vector<double> after;
  for (std::size_t block = 0; block < kLeastBlocks && !stopped(); ++block) {
    LoaderFacts facts;
    double rates[2] = {0, 0};
    for (const std::size_t side : {block % 2, 1 - block % 2}) {
      const auto rate = rateWith(side == 0 ? LoaderSet() : m_result.best, facts);
      if (stopped()) break;
      if (!rate) return rate.error();
      rates[side] = *rate;
    }
    if (stopped()) break;
    before.push_back(rates[0]);
    after.push_back(rates[1]);
  }
  m_result.verdict = judgeTogether(before, after, {kLeastBlocks, 0});
  return {};
}

Result<double> LoaderTuning::rateWith(const LoaderSet& set, LoaderFacts& facts) {
  OwnLoader loader = m_settings.loader;
  for (const auto& [name, value] : set) loader.set = with(loader.set, name, value);
  MeasureSettings measure;
  measure.warmupSeconds = m_settings.warmupSeconds;
  measure.seconds = m_settings.seconds;
  measure.repeats = 1;
  FactsObserver observer(facts);
  LoaderRun run(loader, measure, observer);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return Error{"stopped"};
    m_run = &run;
  }
  const Result<RunResult> result = run.run();
  {
    const MutexLock lock(m_mutex);
    m_run = nullptr;
  }
  if (!result) return result.error();
  if (result->outcome == RunOutcome::Failed) return Error{result->reason};
  return result->figures.samplesPerSecond.mean.value_or(0);
}

void LoaderTuning::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_run != nullptr) m_run->stop();
}

bool LoaderTuning::stopped() {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

}  // namespace millrace
