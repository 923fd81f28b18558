// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/differential.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/limit_parts.h"
#include "core/analysis/statistics.h"

namespace millrace {

namespace {

using Node = RunCounters::Node;
using Stage = RunCounters::Stage;

std::optional<double> secondsPerSample(const RunCounters& counters, const std::string& id) {
  const Node* node = nodeNamed(counters, id);
  if (node == nullptr || !node->busySeconds || counters.samples == 0) return std::nullopt;
  return *node->busySeconds / static_cast<double>(counters.samples);
}

/// The nodes fused into `head`, with `head`, in their order.
std::vector<Node*> groupOf(Stage& stage, const std::string& head) {
  std::vector<Node*> group;
  for (Node& node : stage.nodes)
    if (node.id == head || node.fusedInto == head) group.push_back(&node);
  return group;
}

/// Divides `seconds` among `nodes` in proportion to their time in `apart`; false if `apart` has
/// none of them.
bool shareAmong(const std::vector<Node*>& nodes, double seconds, const RunCounters* apart) {
  if (nodes.empty()) return true;
  std::vector<double> weights;
  double sum = 0;
  for (const Node* node : nodes) {
    const auto each = apart == nullptr ? std::optional<double>(nodes.size() == 1 ? 1 : 0)
                                       : secondsPerSample(*apart, node->id);
    weights.push_back(each.value_or(0));
    sum += weights.back();
  }
  if (sum <= 0) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i]->busySeconds = seconds * weights[i] / sum;
  return true;
}

void shareGroup(Stage& stage, const std::string& head, double samples, const RunCounters* apart,
                const RunCounters* toDecode) {
  std::vector<Node*> group = groupOf(stage, head);
  const double whole = *group.front()->busySeconds;
  std::vector<Node*> inCut;
  std::vector<Node*> afterCut;
  for (Node* node : group) {
    const bool cut = toDecode != nullptr && nodeNamed(*toDecode, node->id) != nullptr;
    (cut ? inCut : afterCut).push_back(node);
  }
  double first = 0;
  if (!inCut.empty() && !afterCut.empty())
    first = std::min(whole, secondsPerSample(*toDecode, head).value_or(0) * samples);
  else if (afterCut.empty())
    first = whole;
  std::vector<Node> before;
  for (const Node* node : group) before.push_back(*node);
  if (shareAmong(inCut, first, apart) && shareAmong(afterCut, whole - first, apart)) {
    for (Node* node : group) node->fusedInto.clear();
    return;
  }
  for (std::size_t i = 0; i < group.size(); ++i) *group[i] = before[i];
}

}  // namespace

const RunCounters::Node* nodeNamed(const RunCounters& counters, const std::string& id) {
  for (const Stage& stage : counters.stages)
    for (const Node& node : stage.nodes)
      if (node.id == id) return &node;
  return nullptr;
}

std::string_view nameOf(Probe probe) {
  constexpr std::array<std::string_view, 11> kNames = {
      "baseline",     "source alone",    "to decode",   "to batch",
      "without step", "more readers",    "from memory", "from cache",
      "nodes apart",  "baseline, again", "as advised"};
  return kNames[static_cast<std::size_t>(probe)];
}

const ProbeResult* probeNamed(const std::vector<ProbeResult>& probes, Probe probe) {
  const auto found = std::ranges::find(probes, probe, &ProbeResult::probe);
  return found == probes.end() ? nullptr : &*found;
}

std::optional<RateRatio> ratioOf(const ProbeResult* rates, const ProbeResult* over) {
  if (rates == nullptr || over == nullptr) return std::nullopt;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(rates->rates.size(), over->rates.size()); ++i)
    if (rates->rates[i] > 0 && over->rates[i] > 0)
      ratios.push_back(rates->rates[i] / over->rates[i]);
  const std::optional<double> mean = geometricMean(ratios);
  if (!mean) return std::nullopt;
  return RateRatio{*mean, *std::ranges::min_element(ratios), *std::ranges::max_element(ratios)};
}

ProbedGains gainsOf(const std::vector<ProbeResult>& probes) {
  const ProbeResult* baseline = probeNamed(probes, Probe::Baseline);
  const ProbeResult* alone = probeNamed(probes, Probe::SourceAlone);
  ProbedGains gains;
  // If the source alone was not run, the pipeline consists of nothing else.
  gains.moreReaders =
      ratioOf(probeNamed(probes, Probe::MoreReaders), alone != nullptr ? alone : baseline);
  for (const ProbeResult& probe : probes) {
    if (probe.cacheAfter.empty()) continue;
    if (const auto ratio = ratioOf(&probe, baseline))
      gains.caches.push_back({probe.cacheAfter, *ratio});
  }
  return gains;
}

RunCounters sharedOut(RunCounters counters, const RunCounters* apart, const RunCounters* toDecode) {
  const auto samples = static_cast<double>(counters.samples);
  for (Stage& stage : counters.stages) {
    for (Node& node : stage.nodes)
      if (const Node* alone = apart == nullptr ? nullptr : nodeNamed(*apart, node.id))
        node.keptBytes = alone->keptBytes;
    std::vector<std::string> heads;
    for (const Node& node : stage.nodes)
      if (!node.fusedInto.empty() && (heads.empty() || heads.back() != node.fusedInto))
        heads.push_back(node.fusedInto);
    for (const std::string& head : heads)
      if (const Node* first = nodeNamed(counters, head); first != nullptr && first->busySeconds)
        shareGroup(stage, head, samples, apart, toDecode);
  }
  return counters;
}

namespace {

/// The source's share of all work upstream of the consumer.
double readShare(const RunCounters& counters) {
  double read = 0;
  double all = 0;
  for (const Stage& stage : counters.stages) {
    all += stage.betweenSeconds.value_or(0);
    for (const Node& node : stage.nodes) {
      if (node.work == WorkKind::Step) continue;
      all += node.busySeconds.value_or(0);
      if (node.work == WorkKind::Read) read += node.busySeconds.value_or(0);
    }
  }
  return all > 0 ? read / all : 0;
}

}  // namespace

std::optional<StallSplit> stallSplitOf(const std::vector<ProbeResult>& probes) {
  const ProbeResult* baseline = probeNamed(probes, Probe::Baseline);
  if (baseline == nullptr || baseline->counters.batches == 0) return std::nullopt;
  const RunCounters& counters = baseline->counters;
  StallSplit split;
  // By the rate that is shown, which is the geometric mean of the blocks.
  const double samplesEach =
      static_cast<double>(counters.samples) / static_cast<double>(counters.batches);
  const std::optional<double> rate = geometricMean(baseline->rates);
  split.batchSeconds = rate && samplesEach > 0
                           ? samplesEach / *rate
                           : counters.seconds / static_cast<double>(counters.batches);
  double waiting = split.batchSeconds;
  const auto takeOff = [&](std::optional<double> share) -> std::optional<double> {
    if (!share) return std::nullopt;
    const double seconds = std::min(waiting, *share * split.batchSeconds);
    waiting -= seconds;
    return seconds;
  };
  split.step = takeOff(counters.stepShare);
  if (counters.transferSeconds)
    split.transfer = takeOff(*counters.transferSeconds / counters.seconds);
  // A run from memory that is not the faster one in each block shows no time of reading.
  const auto faster = ratioOf(probeNamed(probes, Probe::FromMemory), baseline);
  if (faster && faster->least > 1) {
    split.fetchByRun = true;
    const double saved = split.batchSeconds * (1 - 1 / faster->mean);
    split.fetch = std::clamp(saved, 0.0, waiting);
  } else {
    split.fetch = waiting * readShare(counters);
  }
  split.prepare = waiting - *split.fetch;
  return split;
}

}  // namespace millrace
