// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/advice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/limit_parts.h"
#include "core/analysis/what_if.h"
#include "core/base/text/text.h"
#include "core/spec/runtime_settings.h"

namespace millrace {

namespace {

class Adviser {
 public:
  Adviser(const LimitFinding& finding, const RunCounters& counters, const AdvicePlaces& places,
          const ProbedGains& gains)
      : m_cause(finding.limit), m_c(counters), m_places(places), m_gains(gains) {}

  std::vector<Advice> take() {
    switch (m_cause.kind) {
      case LimitKind::WorkersTooFew: moreWorkers(cores(), "the idle cores are used too"); break;
      case LimitKind::WorkersTooMany: fewerWorkers(); break;
      case LimitKind::Read:
      case LimitKind::ColdStorage: forReading(); break;
      case LimitKind::Decode: forDecoding(); break;
      case LimitKind::Augmentation: forAugmentation(); break;
      case LimitKind::Work: forWork(); break;
      case LimitKind::QueueTooShort: longerQueue(); break;
      case LimitKind::HeavyTail: readyFirst(); break;
      case LimitKind::PerRecord: wholeBatches(); break;
      case LimitKind::Batching: forBatching(); break;
      case LimitKind::Step:
        words("The loader keeps up: only a faster step makes training faster.");
        break;
      case LimitKind::Failures:
        words("Remove the failing samples from the data; the run's report names them.");
        break;
      case LimitKind::OtherProcess:
        words("Stop the other processes or limit their CPU use, then measure again.");
        break;
      case LimitKind::Transfer:
        words("Send 8-bit pictures from pinned memory and normalise them on the device.");
        break;
      case LimitKind::Device:
        words("Move work from the device to idle cores, or reduce it.");
        break;
      case LimitKind::EpochStart:  // no pipeline has these
      case LimitKind::PassingOn:
      case LimitKind::None: break;
    }
    return std::move(m_advice);
  }

 private:
  void words(std::string text) {
    Advice advice;
    advice.text = std::move(text);
    m_advice.push_back(std::move(advice));
  }

  void parameter(const std::string& node, std::string param, std::string from, std::string to,
                 std::string text, std::string costs, SampleChange changes) {
    m_advice.push_back({Advice::Edit::Parameter, node, std::move(param), std::move(from),
                        std::move(to), std::move(text), std::move(costs), changes});
  }

  /// The stage of the workers node that the cause names; the first region if it names none.
  const RunCounters::Stage& region() const {
    for (const RunCounters::Stage& stage : m_c.stages)
      if (!stage.workers.empty() && stage.workers == m_cause.node) return stage;
    return m_c.stages.front();
  }

  std::size_t cores() const {
    return static_cast<std::size_t>(std::max(1.0, std::round(m_c.cores.value_or(1))));
  }

  void moreWorkers(std::size_t wanted, const char* why) {
    const RunCounters::Stage& stage = region();
    const std::size_t count = std::max(wanted, stage.threads + 1);
    if (stage.workers.empty())
      return words(
          fmt::format("Add a Workers node with {} threads before decoding, and "
                      "Prefetch after Batch.",
                      count));
    parameter(stage.workers, "count", std::to_string(stage.threads), std::to_string(count),
              fmt::format("With {} threads {}.", count, why),
              fmt::format("{} more thread{}", count - stage.threads,
                          count - stage.threads == 1 ? "" : "s"),
              SampleChange::Nothing);
  }

  void fewerWorkers() {
    const RunCounters::Stage& stage = region();
    if (stage.workers.empty()) return;
    const std::size_t count = std::max<std::size_t>(1, std::min(cores() - 1, stage.threads - 1));
    parameter(stage.workers, "count", std::to_string(stage.threads), std::to_string(count),
              "More threads than cores only take time from the step.", "nothing",
              SampleChange::Nothing);
  }

  bool addCache(const char* text) {
    if (!m_places.cache) return false;
    Advice advice;
    advice.edit = Advice::Edit::AddCache;
    advice.node = m_places.cache->node;
    advice.to = fmt::format("{:.0f}", std::ceil(m_places.cache->bytes));
    advice.text = text;
    advice.costs = humanBytes(m_places.cache->bytes) + " of memory";
    m_advice.push_back(std::move(advice));
    return true;
  }

  void forReading() {
    const auto& more = m_gains.moreReaders;
    const bool waits = m_cause.kind == LimitKind::ColdStorage || waitsForStorage(m_c);
    if (waits && (!more || more->mean >= kMoreFromReaders)) moreReadsAtOnce();
    addCache("From the second epoch on nothing is read.");
    words(
        "Put the data on faster storage, or into fewer and larger files: convert it to "
        "TFRecord files.");
  }

  void moreReadsAtOnce() {
    constexpr auto kAtOnce = static_cast<std::size_t>(ReadAheadSettings::kMostAtOnce);
    const std::size_t ahead = m_c.readAhead.value_or(0);
    if (m_c.readAhead && ahead < kAtOnce)
      parameter(
          m_cause.node, "read_ahead", std::to_string(ahead), std::to_string(kAtOnce),
          fmt::format("Up to {} reads are in progress at once, whatever the number of threads.",
                      kAtOnce),
          fmt::format("memory for {} samples in stored form", kAtOnce - ahead),
          SampleChange::Nothing);
    if (ahead == 0 && region().threads < 4 * cores())
      moreWorkers(2 * region().threads, "more reads are in progress at once");
  }

  void forAugmentation() {
    constexpr double kSmaller = 0.75;  ///< share of the bytes
    for (const MovePoint& move : m_places.moves) {
      const RunCounters::Node* moved = nodeNamed(m_c, move.node);
      if (moved == nullptr || moved->keptBytes.value_or(1) > kSmaller) continue;
      if (std::ranges::find(move.passed, m_cause.node) == move.passed.end()) continue;
      m_advice.push_back({Advice::Edit::MoveNode, move.node, "", "", move.passed.front(),
                          fmt::format("The nodes that it passes then process {} of the bytes.",
                                      percentText(*moved->keptBytes)),
                          "nothing", SampleChange::Content});
    }
    words(
        fmt::format("Make `{}` cheaper, move it after a node that makes pictures smaller, or use "
                    "more cores.",
                    m_cause.node));
  }

  void forWork() {
    if (m_places.cache && m_places.cache->decoded)
      addCache("From the second epoch on nothing is decoded.");
    words("Make one of these nodes cheaper, or use more cores.");
  }

  void forDecoding() {
    if (m_places.cache && m_places.cache->decoded)
      addCache("From the second epoch on nothing is decoded.");
    words(
        "Store smaller pictures, crop before other work so that less is decoded, or use more "
        "cores.");
  }

  const RunCounters::Queue& lastQueue() const { return m_c.queues.back(); }
  std::size_t twiceTheQueue() const { return std::max<std::size_t>(4, 2 * lastQueue().capacity); }

  Advice queueOf(std::size_t length) const {
    const RunCounters::Queue& queue = lastQueue();
    return {Advice::Edit::Parameter,
            queue.prefetch,
            "batches",
            std::to_string(queue.capacity),
            std::to_string(length),
            "A longer queue evens out fast and slow batches.",
            fmt::format("memory for {} more batches", length - queue.capacity),
            SampleChange::Nothing};
  }

  /// The shortest queue, by doubling, with nearly the best predicted rate. nullopt if none is
  /// predicted to gain; 0 if the times of successive samples are not known.
  std::optional<std::size_t> usefulQueue() const {
    constexpr double kNearly = 0.97;
    if (m_gains.sampleSeconds.empty() || lastQueue().prefetch.empty()) return 0;
    const double batchBytes = m_c.sampleBytes.value_or(0) * static_cast<double>(m_c.batchSize);
    std::vector<std::pair<std::size_t, double>> expected;
    double best = 0;
    for (std::size_t length = twiceTheQueue();
         length <= kLongestQueue && static_cast<double>(length) * batchBytes <= kMostQueueBytes;
         length *= 2) {
      const auto rate = predictedRate(m_c, queueOf(length), m_gains);
      if (!rate) return 0;
      expected.emplace_back(length, rate->middle);
      best = std::max(best, rate->middle);
    }
    if (best < (1 + kWorthShare) * m_c.samplesPerSecond()) return std::nullopt;
    for (const auto& [length, rate] : expected)
      if (rate >= kNearly * best) return length;
    return std::nullopt;
  }

  void addQueue(std::size_t useful) {
    if (lastQueue().prefetch.empty()) return words("Add Prefetch after Batch.");
    m_advice.push_back(queueOf(useful > 0 ? useful : twiceTheQueue()));
  }

  void longerQueue() { addQueue(usefulQueue().value_or(0)); }

  void readyFirst() {
    if (const auto useful = usefulQueue()) addQueue(*useful);
    if (!region().workers.empty())
      parameter(region().workers, "order", "strict", "ready",
                "A batch takes the samples that finish first.", "the order is not reproducible",
                SampleChange::Order);
  }

  void wholeBatches() {
    const RunCounters::Stage& stage = region();
    if (stage.workers.empty() || stage.wholeBatches) return largerBatches();
    parameter(stage.workers, "unit", "sample", "batch",
              "Each thread makes whole batches, so single samples need not be handed over.",
              fmt::format("memory for {} more batches", stage.threads - 1), SampleChange::Nothing);
  }

  void forBatching() {
    constexpr double kLarge =
        16384;  // copying it takes longer than its share of a batch's overhead
    if (m_c.sampleBytes.value_or(0) < kLarge) return largerBatches();
    words(
        fmt::format("Each sample of {} is copied into its batch: make samples smaller, or keep "
                    "them in 8 bits for longer.",
                    humanBytes(*m_c.sampleBytes)));
  }

  void largerBatches() {
    parameter(m_c.batchNode, "size", std::to_string(m_c.batchSize),
              std::to_string(2 * std::max<std::size_t>(1, m_c.batchSize)),
              "The overhead of a batch is shared by more samples.",
              "memory for batches twice as large", SampleChange::Batching);
  }

  const LimitCause& m_cause;
  const RunCounters& m_c;
  const AdvicePlaces& m_places;
  const ProbedGains& m_gains;
  std::vector<Advice> m_advice;
};

}  // namespace

std::string_view nameOf(SampleChange change) {
  constexpr std::array<std::string_view, 4> kNames = {"nothing", "order", "batching", "values"};
  return kNames[static_cast<std::size_t>(change)];
}

std::string Advice::editText() const {
  switch (edit) {
    case Edit::Parameter: return fmt::format("{}.{} {} -> {}", node, param, from, to);
    case Edit::AddCache: return fmt::format("add a memory cache after {}, limit {}", node, to);
    case Edit::MoveNode: return fmt::format("move {} before {}", node, to);
    case Edit::Words: break;
  }
  return {};
}

std::vector<Advice> adviceFor(const LimitFinding& finding, const RunCounters& counters,
                              const AdvicePlaces& places, const ProbedGains& gains) {
  if (finding.confidence == Confidence::CannotTell || counters.stages.empty()) return {};
  return Adviser(finding, counters, places, gains).take();
}

}  // namespace millrace
