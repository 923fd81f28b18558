// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/bottleneck.h"

#include "core/analysis/limit_parts.h"

namespace millrace {

namespace {

constexpr double kSlowStep = 1.1;     ///< step time divided by its nominal time
constexpr double kSeldomFull = 0.2;   ///< share of the time
constexpr double kShortBatch = 2e-4;  ///< seconds

using Queue = RunCounters::Queue;

/// Finds the side of the finished batches on which the limit is.
class Sides {
 public:
  explicit Sides(const RunCounters& counters) : m_c(counters) {}

  LimitFinding judge() const {
    LimitFinding finding;
    finding.notMeasured = notMeasured();
    if (m_c.batches < kLeastRunBatches || m_c.seconds < kLeastRunSeconds || m_c.stages.empty())
      return leftOpen(
          std::move(finding),
          {"batches", static_cast<double>(m_c.batches),
           fmt::format("Only {} batches in {:.2g} s were measured; at least {} batches and {} s "
                       "are needed.",
                       m_c.batches, m_c.seconds, kLeastRunBatches, kLeastRunSeconds)},
          "a longer run");
    if (auto device = onDevice())
      return settled(std::move(finding), std::move(*device), Confidence::Likely);
    if (m_c.stepShare.value_or(0) >= kStepShare) return inStep(std::move(finding));
    if (m_c.queues.empty() || m_c.stages.size() != m_c.queues.size() + 1)
      return withoutQueue(std::move(finding));
    const Queue& last = m_c.queues.back();
    if (last.emptyShare.value_or(0) > kQueueShare) {
      std::size_t stage = m_c.queues.size() - 1;
      while (stage > 0 && m_c.queues[stage - 1].emptyShare.value_or(0) > kQueueShare) --stage;
      return limitInRegion(m_c, stage, std::move(finding));
    }
    if (last.fullShare.value_or(0) > kQueueShare) return downstream(std::move(finding));
    return between(std::move(finding));
  }

 private:
  std::vector<std::string> notMeasured() const {
    std::vector<std::string> missing;
    if (!m_c.transferSeconds && !m_c.deviceSeconds)
      missing.emplace_back("transfer and device work: no device was used");
    if (!m_c.cores) missing.emplace_back("idle cores: the number of cores is not known");
    if (!m_c.residentShare)
      missing.emplace_back("page cache: its state before the run is not known");
    return missing;
  }

  std::optional<LimitCause> onDevice() const {
    const double transfer = m_c.transferSeconds.value_or(0) / m_c.seconds;
    const double device = m_c.deviceSeconds.value_or(0) / m_c.seconds;
    const bool copies = transfer >= device;
    const double share = std::max(transfer, device);
    if (share <= kQueueShare) return std::nullopt;
    return LimitCause{copies ? LimitKind::Transfer : LimitKind::Device,
                      "",
                      share,
                      {{copies ? "transfer_share" : "device_share", share,
                        fmt::format("{} takes {} of the time.",
                                    copies ? "Copying to the device" : "Work on the device",
                                    percentText(share))}}};
  }

  LimitEvidence stepBusy() const {
    const double share = m_c.stepShare.value_or(0);
    return {"step_share", share, "The step is busy " + percentText(share) + " of the time."};
  }

  LimitEvidence queueFull() const {
    const double full = m_c.queues.back().fullShare.value_or(0);
    return {"queue.full_share", full,
            "The queue of finished batches is full " + percentText(full) + " of the time."};
  }

  LimitEvidence readerWaits() const {
    const double share = m_c.queues.back().readerWaitSeconds.value_or(0) / m_c.seconds;
    return {"queue.reader_wait_share", share,
            "The consumer waits for a batch " + percentText(share) + " of the time."};
  }

  const std::string& consumer() const { return m_c.stages.back().nodes.back().id; }

  LimitFinding inStep(LimitFinding finding) const {
    const double over = m_c.stepOverNominal.value_or(1);
    const std::optional<LimitEvidence> crowd = crowdingOf(m_c);
    if (over >= kSlowStep && crowd)
      return settled(std::move(finding),
                     {LimitKind::WorkersTooMany,
                      m_c.stages.front().workers,
                      1 - 1 / over,
                      {{"step_over_nominal", over,
                        fmt::format("A step takes {:.2f} times its nominal time, because the "
                                    "workers leave it no core.",
                                    over)},
                       *crowd}},
                     Confidence::Likely);
    LimitCause step{LimitKind::Step, consumer(), *m_c.stepShare, {stepBusy()}};
    if (!m_c.queues.empty() && m_c.queues.back().fullShare) step.evidence.push_back(queueFull());
    return settled(std::move(finding), std::move(step), Confidence::Yes);
  }

  /// One thread does all the work.
  LimitFinding withoutQueue(LimitFinding finding) const {
    if (m_c.stepShare.value_or(0) < 0.5) return limitInRegion(m_c, 0, std::move(finding));
    return leftOpen(
        std::move(finding), stepBusy(),
        "a run with Workers and Prefetch, in which the step and the loader run in parallel");
  }

  /// Limits on the consumer's own thread.
  LimitFinding downstream(LimitFinding finding) const {
    std::vector<LimitCause> causes;
    for (const RunCounters::Node& node : m_c.stages.back().nodes) {
      const double share = node.busySeconds.value_or(0) / m_c.seconds;
      if (node.work == WorkKind::Step || share < kWorthShare) continue;
      causes.push_back({kindOfWork(node.work),
                        node.id,
                        share,
                        {{"node.busy_seconds", *node.busySeconds,
                          fmt::format("`{}` takes {} of the time of the consumer's thread.",
                                      node.id, percentText(share))},
                         queueFull()}});
    }
    if (m_c.stepShare.value_or(0) > kWorthShare)
      causes.push_back({LimitKind::Step, consumer(), *m_c.stepShare, {stepBusy(), queueFull()}});
    if (causes.empty())
      return leftOpen(std::move(finding), queueFull(), "a run with `drain` as the consumer");
    sortByShare(causes);
    return settled(std::move(finding), causes.front(), Confidence::Likely,
                   {causes.begin() + 1, causes.end()});
  }

  /// The queue is neither empty nor full most of the time.
  LimitFinding between(LimitFinding finding) const {
    const std::size_t s = m_c.queues.size() - 1;
    const Queue& queue = m_c.queues[s];
    // Waking a thread takes as long as making such a short batch, so the queue shows nothing else.
    if (m_c.seconds < kShortBatch * static_cast<double>(m_c.batches))
      return limitInRegion(m_c, s, std::move(finding));
    const LimitEvidence reader = readerWaits();
    const double writer = queue.writerWaitSeconds.value_or(0) /
                          (m_c.seconds * static_cast<double>(m_c.stages[s].threads));
    if (queue.readerWaitSeconds && reader.value < kWorthShare)
      return settled(std::move(finding), {LimitKind::None, "", 0, {reader}}, Confidence::Likely);
    // Workers that never wait are the limit, even if the queue is not empty all of the time: a
    // consumer needs time to wake up before it takes a batch.
    if (queue.readerWaitSeconds && queue.writerWaitSeconds && writer < kWorthShare &&
        queue.fullShare.value_or(1) < kSeldomFull)
      return limitInRegion(m_c, s, std::move(finding));
    if (reader.value < kWorthShare || writer < kWorthShare)
      return leftOpen(std::move(finding),
                      {"queue.empty_share", queue.emptyShare.value_or(0),
                       fmt::format("The queue of finished batches is empty {} of the time and full "
                                   "{}.",
                                   percentText(queue.emptyShare.value_or(0)),
                                   percentText(queue.fullShare.value_or(0)))},
                      kDiagnoseDecides);
    const LimitCause tooShort{
        LimitKind::QueueTooShort,
        queue.prefetch,
        reader.value,
        {reader,
         {"slot_wait_share", writer,
          "The workers wait for a free batch slot " + percentText(writer) + " of their time."}}};
    if (auto tail = heavyTailOf(m_c, s))
      return settled(std::move(finding), std::move(*tail), Confidence::Likely, {tooShort});
    return settled(std::move(finding), tooShort, Confidence::Likely);
  }

  const RunCounters& m_c;
};

}  // namespace

LimitFinding findLimit(const RunCounters& counters) { return Sides(counters).judge(); }

}  // namespace millrace
