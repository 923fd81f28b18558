// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How often each form of the verdict calls pipelines different that are equal, and finds
// differences that are there (experiments/verdict):
//   verdict_rates COMPARISONS SECONDS WARMUP WORKERS quiet|load RATES.csv TABLE.csv
// Prints lines of a Markdown table, writes every repeat to RATES.csv, and adds to TABLE.csv.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/tune/plan_measurer.h"
#include "tests/bench/ratio/engine_runs.h"
#include "tests/bench/verdict/foreign_load.h"
#include "tests/bench/verdict/verdict_counts.h"

namespace millrace::bench {

namespace {

/// Two equal pipelines, and two that do more work for each sample.
constexpr std::array kNames = {"base", "equal", "5 % more", "10 % more"};
constexpr std::size_t kPipelines = kNames.size();
constexpr std::size_t kBase = 0;
/// The forms that sessions are judged by.
constexpr std::array kForms = {"apart (usual spread)", "apart (spread known)", "single repeats"};
constexpr std::size_t kRepeatsOfSession = 3;

/// Pictures that this number of workers blurs, and a share of them twice.
std::string document(int workers, double share) {
  const std::string again = fmt::format(R"({{"id": "again", "kind": "blur",
        "params": {{"kernel": 9, "sigma_min": 1.5, "sigma_max": 1.5, "probability": {}}}}})",
                                        share);
  const std::array nodes = {
      std::string(R"({"id": "synthetic", "kind": "synthetic", "params": {"count": 1000000,
        "content": "image", "height": 64, "width": 64}})"),
      fmt::format(R"({{"id": "workers", "kind": "workers", "params": {{"count": {}}}}})", workers),
      std::string(R"({"id": "blur", "kind": "blur",
        "params": {"kernel": 9, "sigma_min": 1.5, "sigma_max": 1.5}})"),
      again,
      std::string(R"({"id": "batch", "kind": "batch", "params": {"size": 16}})"),
      std::string(R"({"id": "prefetch", "kind": "prefetch"})"),
      std::string(R"({"id": "drain", "kind": "drain"})")};
  std::string list;
  for (const std::string& node : nodes) list += (list.empty() ? "" : ", ") + node;
  return fmt::format(R"({{"format_version": 1, "seed": 1, "nodes": [{}], "wires": [
    {{"from": "synthetic", "to": "workers"}}, {{"from": "workers", "to": "blur"}},
    {{"from": "blur", "to": "again"}}, {{"from": "again", "to": "batch"}},
    {{"from": "batch", "to": "prefetch"}}, {{"from": "prefetch", "to": "drain"}}]}})",
                     list);
}

[[noreturn]] void giveUp(const std::string& message) {
  fmt::print(stderr, "error: {}\n", message);
  std::exit(1);
}

/// Measures pipelines as the command line does, with short repeats.
class Bench {
 public:
  Bench(double seconds, double warmup) {
    m_settings.seconds = seconds;
    m_settings.warmupSeconds = warmup;
  }

  void add(const std::string& json) { m_pipelines.push_back(pipelineFrom(json)); }
  std::size_t size() const { return m_pipelines.size(); }

  /// Blocks of all pipelines until `wanted` is content.
  MeasuredBlocks together(std::uint64_t seed,
                          std::function<std::size_t(const MeasuredBlocks&)> wanted) {
    PlanMeasurer measurer(sides(), m_settings);
    BlockSettings settings;
    settings.sides = size();
    settings.seed = seed;
    settings.wanted = std::move(wanted);
    BlockObserver silent;
    BlockMeasurement measurement(measurer, settings, silent);
    BlockResult result = measurement.run();
    if (result.end != BlockEnd::Finished) giveUp(result.reason);
    return std::move(result.measured);
  }

  struct Repeat {
    double rate = 0;
    bool disturbed = false;
  };
  /// Repeats of one pipeline alone, one after the other.
  std::vector<Repeat> session(std::size_t pipeline) {
    PlanMeasurer measurer(sides(), m_settings);
    std::vector<Repeat> repeats;
    for (std::size_t i = 0; i < kRepeatsOfSession; ++i) {
      const Result<RunResult> result = measurer.measure(pipeline);
      if (!result) giveUp(result.error().message);
      repeats.push_back(
          {result->figures.samplesPerSecond.mean.value_or(0), isDisturbed({result->figures})});
    }
    return repeats;
  }

 private:
  std::vector<PlanSide> sides() {
    std::vector<PlanSide> sides;
    for (const BenchPipeline& pipeline : m_pipelines)
      sides.push_back({pipeline.plan.get(), &pipeline.caches, &m_silent});
    return sides;
  }

  MeasureSettings m_settings;
  std::vector<BenchPipeline> m_pipelines;
  RunObserver m_silent;
};

/// CPU time of a thousand samples, one a block.
std::vector<double> cpuTimes(const MeasuredBlocks& measured, std::size_t pipeline) {
  std::vector<double> times;
  for (const MeasuredBlock& block : measured.blocks)
    times.push_back(block.sides[pipeline].cpuSecondsPer1000Samples.value_or(0));
  return times;
}

/// The cost of blurring every sample a second time, as a share of a sample's cost without. In CPU
/// time, because the workers do nothing else, and other processes disturb it less than the rate.
double costOfBlurringAgain(int workers, double seconds, double warmup) {
  Bench bench(seconds, warmup);
  bench.add(document(workers, 0));
  bench.add(document(workers, 1));
  const MeasuredBlocks measured =
      bench.together(1, [](const MeasuredBlocks&) { return std::size_t{10}; });
  const Verdict verdict = judgeTogether(cpuTimes(measured, 0), cpuTimes(measured, 1), {10, 0});
  const double cost = *verdict.ratio - 1;
  fmt::print("# a second blur costs {:.3f} of a sample [{:.3f}, {:.3f}]\n", cost,
             verdict.ratio95->low - 1, verdict.ratio95->high - 1);
  if (!(cost > 0.2)) giveUp("the machine is too busy to tell what a blur costs");
  return cost;
}

/// The rates that were not disturbed: a verdict on runs measured apart counts no others.
struct Session {
  std::array<std::vector<double>, kPipelines> rates;
};

class Experiment {
 public:
  Experiment(Bench& bench, std::FILE* rates) : m_bench(bench), m_rates(rates) {}

  /// Blocks until the rule has decided about every pair, or ten.
  void compareTogether(int number) {
    const MeasuredBlocks measured =
        m_bench.together(static_cast<std::uint64_t>(number) + 100, [](const MeasuredBlocks& m) {
          std::size_t wanted = 0;
          for (std::size_t p = 1; p < kPipelines; ++p) wanted = std::max(wanted, wantedFor(m, p));
          return wanted;
        });
    for (std::size_t block = 0; block < measured.blocks.size(); ++block) {
      const bool disturbed = measured.blocks[block].disturbed;
      for (std::size_t p = 0; p < kPipelines; ++p) {
        const double rate = measured.rates(p)[block];
        fmt::print(m_rates, "together,{},{},{},{:.2f},{}\n", number, block, kNames[p], rate,
                   disturbed ? 1 : 0);
        m_pool[p].push_back(rate);
        m_cpu[p].push_back(cpuTimes(measured, p)[block]);
      }
    }
    m_replaced += measured.replaced;
    m_disturbed += measured.disturbed();
    m_blocks += measured.blocks.size();
    for (std::size_t p = 1; p < kPipelines; ++p)
      m_verdicts.of("together", kNames[p]).add(judged(measured, p));
  }

  void sit(int number) {
    Session& session = m_sessions.emplace_back();
    for (const std::size_t p : blockOrder(7, m_sessions.size(), kPipelines)) {
      const std::vector<Bench::Repeat> repeats = m_bench.session(p);
      for (std::size_t i = 0; i < repeats.size(); ++i) {
        const auto [rate, disturbed] = repeats[i];
        fmt::print(m_rates, "session,{},{},{},{:.2f},{}\n", number, i, kNames[p], rate,
                   disturbed ? 1 : 0);
        if (!disturbed) session.rates[p].push_back(rate);
      }
    }
  }

  /// Pairs of sessions lie half the experiment apart, and a quarter.
  void compareApart() {
    std::vector<double> means;
    for (const Session& session : m_sessions)
      if (const auto rate = mean(session.rates[kBase])) means.push_back(*rate);
    const SessionSpread known = spreadOfSessions(means);
    fmt::print("# spread between sessions: {:.2f} %, of {} sessions\n", 100 * known.sigma,
               known.sessions);
    for (const char* form : kForms)  // the order of the table
      for (std::size_t p = 1; p < kPipelines; ++p) m_verdicts.of(form, kNames[p]);
    const std::size_t count = m_sessions.size();
    for (const std::size_t apart : {count / 2, count / 4})
      for (std::size_t i = 0; i < count; ++i)
        judgeSessions(m_sessions[i], m_sessions[(i + std::max(apart, std::size_t{1})) % count],
                      known);
  }

  void printTruth() const {
    for (std::size_t p = 1; p < kPipelines; ++p) {
      const Verdict all = judgeTogether(m_pool[kBase], m_pool[p], {5, 0});
      const Verdict cpu = judgeTogether(m_cpu[kBase], m_cpu[p], {5, 0});
      fmt::print(
          "# {}: true ratio {:.4f} [{:.4f}, {:.4f}] over {} blocks; CPU time of a sample "
          "{:.4f} [{:.4f}, {:.4f}]\n",
          kNames[p], *all.ratio, all.ratio95->low, all.ratio95->high, all.repeatsA, *cpu.ratio,
          cpu.ratio95->low, cpu.ratio95->high);
    }
    fmt::print("# {} blocks, {} of them disturbed, {} more measured again\n", m_blocks, m_disturbed,
               m_replaced);
  }

  const VerdictCounts& verdicts() const { return m_verdicts; }

 private:
  /// As `compare` would have it, were the pair alone.
  static std::size_t wantedFor(const MeasuredBlocks& m, std::size_t p) {
    const std::size_t blocks = m.blocks.size();
    if (blocks < BlockRule().blocks) return BlockRule().blocks;
    return judged(m, p).moreWanted > 0 || blocks > BlockRule().blocks
               ? BlockRule().blocks + BlockRule().more
               : blocks;
  }

  /// The verdict with as many blocks as the rule would have measured for this pair.
  static Verdict judged(const MeasuredBlocks& m, std::size_t p) {
    const std::vector<double> a = m.rates(kBase);
    const std::vector<double> b = m.rates(p);
    const std::size_t first = std::min(a.size(), BlockRule().blocks);
    const Verdict early = judgeTogether(std::span(a).first(first), std::span(b).first(first));
    if (early.moreWanted == 0 || a.size() == first) return early;
    return judgeTogether(a, b);
  }

  static std::span<const double> firstOf(const std::vector<double>& rates) {
    return std::span(rates).first(std::min<std::size_t>(1, rates.size()));
  }

  void judgeSessions(const Session& one, const Session& other, const SessionSpread& known) {
    for (std::size_t p = 1; p < kPipelines; ++p) {
      const std::vector<double>& a = one.rates[kBase];
      const std::vector<double>& b = other.rates[p];
      m_verdicts.of(kForms[0], kNames[p]).add(judgeApart(a, b));
      m_verdicts.of(kForms[1], kNames[p]).add(judgeApart(a, b, known));
      m_verdicts.of(kForms[2], kNames[p]).add(judgeApart(firstOf(a), firstOf(b)));
    }
  }

  Bench& m_bench;
  std::FILE* m_rates;
  VerdictCounts m_verdicts;
  std::vector<Session> m_sessions;
  std::array<std::vector<double>, kPipelines> m_pool;
  std::array<std::vector<double>, kPipelines> m_cpu;
  std::size_t m_blocks = 0;
  std::size_t m_disturbed = 0;
  std::size_t m_replaced = 0;
};

struct File {
  File(const char* name, const char* mode) : handle(std::fopen(name, mode)) {
    if (handle == nullptr) giveUp(fmt::format("{} cannot be written", name));
  }
  ~File() { std::fclose(handle); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::FILE* handle;
};

int run(int comparisons, double seconds, double warmup, int workers, const std::string& condition,
        const char* ratesFile, const char* tableFile) {
  const File rates(ratesFile, "w");
  const File table(tableFile, "a");
  fmt::print(rates.handle, "form,comparison,repeat,pipeline,samples_per_second,disturbed\n");
  // Before the load begins: extra work is the same in both conditions.
  const double cost = costOfBlurringAgain(workers, seconds, warmup);
  const std::array shares = {0.0, 0.0, 0.05 / cost, 0.10 / cost};
  Bench bench(seconds, warmup);
  for (const double share : shares) bench.add(document(workers, share));
  std::optional<ForeignLoad> load;
  if (condition == "load") load.emplace();
  Experiment experiment(bench, rates.handle);
  for (int i = 0; i < comparisons; ++i) {
    if (i % 2 == 0) experiment.sit(i);
    experiment.compareTogether(i);
    fmt::print(stderr, "\r{}: {} of {} ", condition, i + 1, comparisons);
  }
  fmt::print(stderr, "\n");
  experiment.printTruth();
  experiment.compareApart();
  fmt::print("{}", experiment.verdicts().markdown(condition));
  fmt::print(table.handle, "{}", experiment.verdicts().csv(condition));
  return 0;
}

}  // namespace

}  // namespace millrace::bench

int main(int argc, char** argv) {
  const std::string condition = argc == 8 ? argv[5] : "";
  if (condition != "quiet" && condition != "load") {
    fmt::print(stderr,
               "verdict_rates COMPARISONS SECONDS WARMUP WORKERS quiet|load RATES.csv TABLE.csv\n");
    return 2;
  }
  return millrace::bench::run(std::atoi(argv[1]), std::atof(argv[2]), std::atof(argv[3]),
                              std::atoi(argv[4]), condition, argv[6], argv[7]);
}
