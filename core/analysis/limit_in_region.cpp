// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/limit_parts.h"

#include <cmath>

namespace millrace {

namespace {

constexpr double kLostShare = 0.2;   ///< share of samples, or of cores, that makes it the limit
constexpr double kIdleCore = 0.75;   ///< cores: enough for another worker
constexpr double kBusyRegion = 0.8;  ///< share of the threads' time
constexpr double kOnCore = 0.7;      ///< share of the busy time; below it the threads wait
constexpr double kHeadOfLine = 0.1;  ///< share of the time
constexpr double kCrowded = 0.3;     ///< share of the threads' time waiting for a core
constexpr double kWarmShare = 0.95;  ///< share of the data in the page cache
constexpr double kTinySampleSeconds = 5e-5;
constexpr double kNoReadSeconds = 1e-6;  ///< less than any read of a file
constexpr double kCopyBytesPerSecond =
    2e9;  ///< one thread writing to memory outside the CPU caches

using Stage = RunCounters::Stage;
using Causes = std::vector<LimitCause>;

/// Whether several kinds of work run fused, so their common counter does not show which it is.
bool hidesKinds(const Stage& stage, const LimitCause& cause) {
  return std::ranges::any_of(stage.nodes, [&](const RunCounters::Node& node) {
    return node.fusedInto == cause.node && kindOfWork(node.work) != cause.kind;
  });
}

/// Whether the threads are off their cores for much of their busy time although a core is free.
bool waitsOffCore(const Stage& stage) {
  const double busy = busySecondsOf(stage);
  return stage.cpuSeconds && *stage.cpuSeconds < kOnCore * busy &&
         stage.runDelaySeconds.value_or(0) < (1 - kOnCore) * busy;
}

class RegionRules {
 public:
  RegionRules(const RunCounters& counters, std::size_t stage)
      : m_c(counters), m_index(stage), m_stage(counters.stages[stage]) {
    m_busy = busySecondsOf(m_stage);
    const auto threads = static_cast<double>(m_stage.threads);
    m_busyShare = std::min(1.0, m_busy / (threads * m_c.seconds));
    m_others = m_c.otherBusyShare.value_or(0) + m_c.stealShare.value_or(0);
    // Cores that others may use are not known to be idle.
    if (m_c.cores && m_c.cpuSeconds && m_c.otherBusyShare)
      m_idle = std::max(0.0, *m_c.cores * (1 - m_others) - *m_c.cpuSeconds / m_c.seconds);
  }

  LimitFinding judge(LimitFinding finding) const {
    if (m_busy <= 0)
      return leftOpen(std::move(finding),
                      {"node.busy_seconds", 0, "No node of `" + m_stage.id + "` was timed."},
                      "a longer run");
    const Causes causes = shares();
    if (auto outside = fromOutside(finding))
      return settled(std::move(finding), std::move(*outside), Confidence::Likely, causes);
    if (m_busyShare < kBusyRegion)
      if (auto tail = heavyTailOf(m_c, m_index))
        return settled(std::move(finding), std::move(*tail), Confidence::Likely, causes);
    if (!causes.empty() && causes.front().kind == LimitKind::Read && waitsOffCore(m_stage))
      return settled(std::move(finding), waitingFirst(causes.front()), Confidence::Likely,
                     {causes.begin() + 1, causes.end()});
    if (m_idle && *m_idle >= kIdleCore && m_busyShare >= kBusyRegion)
      return settled(std::move(finding), tooFew(), Confidence::Likely, causes);
    if (causes.empty() || (m_busyShare < kBusyRegion && m_idle.value_or(kIdleCore) >= kIdleCore))
      return leftOpen(std::move(finding), notBusy(), "a run with more workers", causes);
    return largest(std::move(finding), causes);
  }

 private:
  /// What the threads spend their time on, largest first.
  Causes shares() const {
    Causes causes;
    const RunCounters::Node* called = nullptr;
    for (const RunCounters::Node& node : m_stage.nodes) {
      const double share = shareOf(node);
      if (node.work == WorkKind::Step || share < kWorthShare) continue;
      if (node.work == WorkKind::Read && isCallAlone(share))
        called = &node;
      else
        causes.push_back({kindOfWork(node.work), node.id, share, {shareEvidence(node, share)}});
    }
    if (auto cause = outsideNodes(called)) causes.push_back(std::move(*cause));
    sortByShare(causes);
    return causes;
  }

  // Without a Workers node the stage is named after a node that does none of the work.
  bool isAlone() const { return m_stage.workers.empty() && m_stage.threads == 1; }
  const char* whose() const { return isAlone() ? "the thread's" : "the workers'"; }
  std::string theThreads() const {
    return isAlone() ? "The thread is" : "The threads of `" + m_stage.id + "` are";
  }

  double shareOf(const RunCounters::Node& node) const {
    return node.busySeconds.value_or(0) / m_busy;
  }

  /// Time of a sample in all nodes and between them.
  double secondsEach() const { return m_busy / std::max(1.0, static_cast<double>(m_c.samples)); }

  /// Lower bound for the seconds of copying a sample into its batch.
  double copyingEach() const { return m_c.sampleBytes.value_or(0) / kCopyBytesPerSecond; }

  /// Whether a source that takes `share` of the time only passes on what is in memory without
  /// copying much. Its time is then the overhead of calling it for each sample.
  bool isCallAlone(double share) const {
    const double each = share * secondsEach();
    return each < kNoReadSeconds && copyingEach() < each / 2;
  }

  LimitEvidence shareEvidence(const RunCounters::Node& node, double share) const {
    std::string fused;
    for (const RunCounters::Node& other : m_stage.nodes)
      if (other.fusedInto == node.id) fused += (fused.empty() ? "" : ", ") + other.id;
    if (!fused.empty()) fused = " (fused with " + fused + ")";
    return {
        "node.busy_seconds", *node.busySeconds,
        fmt::format("`{}`{} takes {} of {} time.", node.id, fused, percentText(share), whose())};
  }

  /// Time outside the nodes, plus that of the source `called` unless it is nullptr.
  std::optional<LimitCause> outsideNodes(const RunCounters::Node* called) const {
    const double between = m_stage.betweenSeconds.value_or(0) / m_busy;
    const double share = between + (called == nullptr ? 0 : shareOf(*called));
    if (share < kWorthShare) return std::nullopt;
    const double each = secondsEach();
    // Only if copying the sample into its batch does not explain the time.
    const bool tiny = each < kTinySampleSeconds && copyingEach() < share * each / 2;
    std::string meaning =
        fmt::format("{} of {} time is spent outside the nodes", percentText(between), whose());
    if (tiny) meaning += fmt::format("; a sample takes only {:.2g} us", 1e6 * each);
    LimitCause cause{tiny ? LimitKind::PerRecord : LimitKind::Batching,
                     tiny ? m_stage.workers : m_c.batchNode,
                     share,
                     {{"stage.outside_nodes_share", between, meaning + "."}}};
    if (called != nullptr)
      cause.evidence.push_back(
          {"node.busy_seconds", *called->busySeconds,
           fmt::format(
               "`{}` takes {}, {:.2g} us for each sample: the cost of the call, not of reading.",
               called->id, percentText(shareOf(*called)), 1e6 * shareOf(*called) * each)});
    return cause;
  }

  /// Lost samples and other processes: returned if they take a lot, otherwise noted in `finding`.
  std::optional<LimitCause> fromOutside(LimitFinding& finding) const {
    const auto failed = static_cast<double>(m_c.failedSamples);
    const double lost = failed / std::max(1.0, failed + static_cast<double>(m_c.samples));
    const std::string source =
        m_c.stages.front().nodes.empty() ? std::string() : m_c.stages.front().nodes.front().id;
    LimitCause failures{
        LimitKind::Failures,
        source,
        lost,
        {{"failed_samples", failed,
          percentText(lost) + " of the samples fail, and the work on them is lost."}}};
    LimitCause others{LimitKind::OtherProcess,
                      "",
                      m_others,
                      {{"other_busy_share", m_others,
                        "Other processes take " + percentText(m_others) + " of the cores."}}};
    if (lost >= kLostShare) return failures;
    if (lost >= kWorthShare) finding.also.push_back(failures);
    if (m_others >= kLostShare && m_idle && *m_idle < kIdleCore) return others;
    if (m_others >= kWorthShare) finding.also.push_back(others);
    return std::nullopt;
  }

  LimitCause waitingFirst(LimitCause cause) const {
    const double running = *m_stage.cpuSeconds / m_busy;
    cause.evidence.push_back({"stage.cpu_share", running,
                              "The threads run for " + percentText(running) +
                                  " of their busy time and wait for storage for the rest."});
    if (m_c.readLatencyMs)
      cause.evidence.push_back({"read_latency_ms", *m_c.readLatencyMs,
                                fmt::format("A read takes {:.3g} ms.", *m_c.readLatencyMs)});
    if (!m_c.residentShare || *m_c.residentShare >= kWarmShare) return cause;
    cause.kind = LimitKind::ColdStorage;
    cause.evidence.push_back(
        {"page_cache_resident_share", *m_c.residentShare,
         percentText(*m_c.residentShare) + " of the data was in the page cache."});
    return cause;
  }

  LimitCause tooFew() const {
    const bool one = m_stage.threads == 1;
    std::string who = one ? "The only thread" : fmt::format("The {} threads", m_stage.threads);
    if (!isAlone()) who += " of `" + m_stage.id + "`";
    return {LimitKind::WorkersTooFew,
            m_stage.workers,
            std::min(1.0, *m_idle / std::max(1.0, *m_c.cores)),
            {{"stage.busy_share", m_busyShare,
              fmt::format("{} {} busy {} of the time.", who, one ? "is" : "are",
                          percentText(m_busyShare))},
             {"idle_cores", *m_idle, idleCores() + "."}}};
  }

  /// Rounded to a tenth of a core.
  std::string idleCores() const {
    const double idle = std::round(std::max(0.0, *m_idle) * 10) / 10;
    return fmt::format("{:g} of {:.3g} cores {} idle", idle, *m_c.cores, idle == 1 ? "is" : "are");
  }

  LimitEvidence notBusy() const {
    const char* cores = m_idle ? ", and a core is idle." : "; whether a core is idle is not known.";
    return {"stage.busy_share", m_busyShare,
            fmt::format("{} busy {} of the time{}", theThreads(), percentText(m_busyShare), cores)};
  }

  /// No core is idle, or it is not known whether one is: the largest share, or the work in several
  /// nodes if the counters do not show which of them has it.
  LimitFinding largest(LimitFinding finding, const Causes& causes) const {
    const auto close = std::ranges::find_if(causes, [&](const LimitCause& cause) {
      return causes.front().share - cause.share >= kCloseShares;
    });
    LimitCause first = causes.front();
    std::string decides = kDiagnoseDecides;
    const bool fused = hidesKinds(m_stage, first);
    if (fused) decides = "`millrace diagnose`, which measures fused nodes separately";
    if (fused || close - causes.begin() > 1) first = together({causes.begin(), close});
    first.evidence.push_back(cores());
    if (auto crowd = crowdingOf(m_c))
      finding.also.push_back({LimitKind::WorkersTooMany, m_stage.workers, 0, {std::move(*crowd)}});
    const Causes also{first.kind == LimitKind::Work ? close : causes.begin() + 1, causes.end()};
    finding = settled(std::move(finding), std::move(first), Confidence::Likely, also);
    finding.decides = std::move(decides);
    return finding;
  }

  /// One cause for the nodes of all `causes` and those that run fused with them.
  LimitCause together(const Causes& causes) const {
    LimitCause work{LimitKind::Work, causes.front().node, 0, {}};
    for (const LimitCause& cause : causes) {
      if (cause.node != work.node) work.with.push_back(cause.node);
      for (const RunCounters::Node& node : m_stage.nodes)
        if (node.fusedInto == cause.node) work.with.push_back(node.id);
      work.share += cause.share;
      work.evidence.insert(work.evidence.end(), cause.evidence.begin(), cause.evidence.end());
    }
    return work;
  }

  LimitEvidence cores() const {
    if (m_idle) return {"idle_cores", *m_idle, idleCores() + ": not enough for another worker."};
    return {"stage.busy_share", m_busyShare,
            fmt::format("{} busy {} of the time; whether a core is idle is not known.",
                        theThreads(), percentText(m_busyShare))};
  }

  const RunCounters& m_c;
  const std::size_t m_index;
  const Stage& m_stage;
  double m_busy = 0;       ///< over all threads
  double m_busyShare = 0;  ///< share of the threads' time
  double m_others = 0;     ///< share of the cores that others use
  std::optional<double> m_idle;
};

}  // namespace

double busySecondsOf(const RunCounters::Stage& stage) {
  double busy = stage.betweenSeconds.value_or(0);
  for (const RunCounters::Node& node : stage.nodes)
    if (node.work != WorkKind::Step) busy += node.busySeconds.value_or(0);
  return busy;
}

LimitKind kindOfWork(WorkKind work) {
  switch (work) {
    case WorkKind::Read: return LimitKind::Read;
    case WorkKind::Decode: return LimitKind::Decode;
    case WorkKind::Augment: return LimitKind::Augmentation;
    case WorkKind::Other:
    case WorkKind::Step: break;
  }
  return LimitKind::Batching;
}

bool waitsForStorage(const RunCounters& counters) {
  return !counters.stages.empty() && waitsOffCore(counters.stages.front());
}

std::optional<LimitEvidence> crowdingOf(const RunCounters& counters) {
  const Stage& region = counters.stages.front();
  const auto threads = static_cast<double>(region.threads);
  if (!counters.cores || threads <= *counters.cores || !region.runDelaySeconds) return std::nullopt;
  const double share = *region.runDelaySeconds / (threads * counters.seconds);
  if (share < kCrowded) return std::nullopt;
  return LimitEvidence{
      "stage.run_delay_share", share,
      fmt::format("{} threads share {:.3g} cores and wait for a core {} of the time.",
                  region.threads, *counters.cores, percentText(share))};
}

std::optional<LimitCause> heavyTailOf(const RunCounters& counters, std::size_t s) {
  if (s >= counters.queues.size() || !counters.stages[s].strict) return std::nullopt;
  const RunCounters::Queue& queue = counters.queues[s];
  const auto threads = static_cast<double>(counters.stages[s].threads);
  const double line = queue.headOfLineSeconds.value_or(0) / counters.seconds;
  const double waits = queue.writerWaitSeconds.value_or(0) / (counters.seconds * threads);
  if (line < kHeadOfLine || waits < kWorthShare) return std::nullopt;
  // A thread that waits for a core holds up the others just as a slow sample does.
  const double delayed =
      counters.stages[s].runDelaySeconds.value_or(0) / (counters.seconds * threads);
  if (delayed >= kHeadOfLine) return std::nullopt;
  return LimitCause{
      LimitKind::HeavyTail,
      counters.stages[s].workers,
      waits,
      {{"head_of_line_wait_share", line,
        "Finished work waits for one slow sample " + percentText(line) + " of the time."},
       {"slot_wait_share", waits, "The workers wait " + percentText(waits) + " of their time."}}};
}

LimitFinding limitInRegion(const RunCounters& counters, std::size_t stage, LimitFinding finding) {
  return RegionRules(counters, stage).judge(std::move(finding));
}

}  // namespace millrace
