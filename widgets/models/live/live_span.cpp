// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/live_span.h"

#include <algorithm>

namespace millrace {

namespace {

/// Growth of a total. Sampled totals are scaled up, so they may shrink slightly.
double grown(double before, double now) { return std::max(0.0, now - before); }
double grown(std::uint64_t before, std::uint64_t now) {
  return now > before ? static_cast<double>(now - before) : 0.0;
}

/// Times since boot, for each core.
struct CoreTimes {
  std::vector<double> busy;
  std::vector<double> total;
};

/// Integral of the fill over `seconds`. An engine that does not count it tells only the fill now.
double fillSecondsOf(const SnapshotEvent::Queue& before, const SnapshotEvent::Queue& now,
                     double seconds) {
  if (before.fillSeconds && now.fillSeconds) return grown(*before.fillSeconds, *now.fillSeconds);
  return static_cast<double>(now.fill) * seconds;
}

class Adder {
 public:
  void add(const SnapshotEvent& before, const SnapshotEvent& now) {
    m_span.seconds += now.seconds - before.seconds;
    m_span.countedSeconds = m_span.seconds;
    m_span.samples += grown(before.samples, now.samples);
    m_span.batches += grown(before.batches, now.batches);
    m_span.readBytes += grown(before.readBytes, now.readBytes);
    m_span.cpuSeconds += grown(before.cpuSeconds, now.cpuSeconds);
    m_span.stepSeconds += grown(before.stepSeconds, now.stepSeconds);
    addNodes(before, now);
    addQueues(before, now);
    addCores(before, now);
    addFlows(before, now);
  }

  LiveSpan take() {
    for (LiveSpan::Queue& queue : m_span.queues)
      if (queue.seconds > 0) queue.meanFill /= queue.seconds;
    for (std::size_t i = 0; i < m_cores.busy.size(); ++i)
      m_span.coreShares.push_back(
          m_cores.total[i] > 0 ? std::clamp(m_cores.busy[i] / m_cores.total[i], 0.0, 1.0) : 0);
    for (const FlowSpec& spec : flowSpecs())
      if (const auto& seconds = m_flowSeconds[spec.flow])
        *m_span.bytesPerSecond[spec.flow] /= *seconds;
    return std::move(m_span);
  }

 private:
  void addNodes(const SnapshotEvent& before, const SnapshotEvent& now) {
    m_span.nodes.resize(now.nodes.size());
    for (std::size_t i = 0; i < now.nodes.size() && i < before.nodes.size(); ++i) {
      LiveSpan::Node& node = m_span.nodes[i];
      node.id = now.nodes[i].id;
      node.items += grown(before.nodes[i].items, now.nodes[i].items);
      if (now.nodes[i].busySeconds)
        node.busySeconds =
            node.busySeconds.value_or(0) +
            grown(before.nodes[i].busySeconds.value_or(0), *now.nodes[i].busySeconds);
    }
  }

  void addQueues(const SnapshotEvent& before, const SnapshotEvent& now) {
    m_span.queues.resize(now.queues.size());
    for (std::size_t i = 0; i < now.queues.size() && i < before.queues.size(); ++i) {
      LiveSpan::Queue& queue = m_span.queues[i];
      queue.id = now.queues[i].id;
      const double seconds = grown(before.queues[i].seconds, now.queues[i].seconds);
      queue.seconds += seconds;
      queue.meanFill += fillSecondsOf(before.queues[i], now.queues[i], seconds);
      queue.emptySeconds += grown(before.queues[i].emptySeconds, now.queues[i].emptySeconds);
      queue.fullSeconds += grown(before.queues[i].fullSeconds, now.queues[i].fullSeconds);
    }
  }

  void addCores(const SnapshotEvent& before, const SnapshotEvent& now) {
    m_cores.busy.resize(now.cores.size());
    m_cores.total.resize(now.cores.size());
    for (std::size_t i = 0; i < now.cores.size() && i < before.cores.size(); ++i) {
      m_cores.busy[i] += grown(before.cores[i].busySeconds, now.cores[i].busySeconds);
      m_cores.total[i] += grown(before.cores[i].totalSeconds, now.cores[i].totalSeconds);
    }
  }

  /// Only the time in which a flow was counted is time of its rate.
  void addFlows(const SnapshotEvent& before, const SnapshotEvent& now) {
    for (const FlowSpec& spec : flowSpecs()) {
      const auto bytes = growthOf(before.flows[spec.flow], now.flows[spec.flow]);
      if (!bytes) continue;
      std::optional<double>& sum = m_span.bytesPerSecond[spec.flow];
      std::optional<double>& seconds = m_flowSeconds[spec.flow];
      sum = sum.value_or(0) + static_cast<double>(*bytes);
      seconds = seconds.value_or(0) + now.seconds - before.seconds;
    }
  }

  LiveSpan m_span;
  CoreTimes m_cores;
  PerFlow<double> m_flowSeconds;
};

}  // namespace

const LiveSpan::Node* LiveSpan::node(const std::string& id) const {
  const auto found = std::ranges::find(nodes, id, &Node::id);
  return found == nodes.end() ? nullptr : &*found;
}

const LiveSpan::Queue* LiveSpan::queue(const std::string& id) const {
  const auto found = std::ranges::find(queues, id, &Queue::id);
  return found == queues.end() ? nullptr : &*found;
}

LiveSpan spanOf(const Snapshots& snapshots, double from, double to, SpanPart part) {
  Adder adder;
  const TimedSnapshot* before = nullptr;
  for (const TimedSnapshot& now : snapshots) {
    if (now.time < from) continue;
    if (now.time > to) break;
    const bool sameRepeat = before != nullptr &&
                            before->content.phase.repeat == now.content.phase.repeat &&
                            before->content.seconds < now.content.seconds;
    const bool counts = sameRepeat && (part == SpanPart::All || !before->content.phase.warmup);
    if (counts) adder.add(before->content, now.content);
    before = &now;
  }
  return adder.take();
}

LiveSpan spanOf(const SpanFigures& figures) {
  LiveSpan span;
  span.samples = static_cast<double>(figures.samples);
  span.batches = static_cast<double>(figures.batches);
  const double rate = figures.samplesPerSecond.mean.value_or(0);
  span.seconds = rate > 0 ? span.samples / rate : figures.seconds;
  span.countedSeconds = figures.seconds;
  span.readBytes = figures.inputBytesPerSecond.value_or(0) * span.seconds;
  span.cpuSeconds = figures.cpuSecondsPer1000Samples.value_or(0) * span.samples / 1000;
  span.stepSeconds = figures.stepShare.value_or(0) * span.seconds;
  for (const NodeFigures& node : figures.nodes)
    span.nodes.push_back({node.id, static_cast<double>(node.items.value_or(0)), node.busySeconds});
  for (const QueueFigures& queue : figures.queues)
    span.queues.push_back({queue.id, queue.meanFill.value_or(0), span.seconds,
                           queue.emptyShare.value_or(0) * span.seconds,
                           queue.fullShare.value_or(0) * span.seconds});
  return span;
}

std::optional<GpuFigures> gpuOf(const Snapshots& snapshots, double from, double to, SpanPart part) {
  std::optional<GpuFigures> gpu;
  GpuMeans means;
  for (const TimedSnapshot& snapshot : snapshots) {
    if (snapshot.time < from || snapshot.time > to || !snapshot.content.accelerator) continue;
    if (part == SpanPart::Measured && snapshot.content.phase.warmup) continue;
    gpu = *snapshot.content.accelerator;
    means.add(gpu->values);
  }
  if (!gpu) return std::nullopt;
  gpu->values = means.values();
  gpu->samples = means.samples();
  return gpu;
}

}  // namespace millrace
