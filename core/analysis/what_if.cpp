// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "core/analysis/limit_parts.h"
#include "core/analysis/loader_model.h"
#include "core/spec/reorder_slots.h"

namespace millrace {

namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLeastError = 0.05;

/// How a thread of the region spends a sample's time.
struct SampleTime {
  double running = 0;  ///< seconds on a core
  double waiting = 0;  ///< seconds off a core although one is free
  double cores = 1;    ///< cores not used by other processes

  /// Time of a sample with this many threads: the thread's own time, or the bound set by the cores
  /// if that is larger. Asymptotic bounds (Denning and Buzen, "The operational analysis of queueing
  /// network models", 1978).
  double with(std::size_t threads, double waits) const {
    return std::max(running + waits, static_cast<double>(threads) * running / cores);
  }
};

SampleTime sampleTimeOf(const RunCounters& counters) {
  const RunCounters::Stage& region = counters.stages.front();
  const auto samples = static_cast<double>(counters.samples);
  const double busy = busySecondsOf(region);
  SampleTime time;
  const double taken = counters.otherBusyShare.value_or(0) + counters.stealShare.value_or(0);
  time.cores = std::max(1.0, *counters.cores * (1 - taken));
  const double running = std::min(busy, region.cpuSeconds.value_or(busy));
  time.running = running / samples;
  time.waiting = std::max(0.0, busy - running - region.runDelaySeconds.value_or(0)) / samples;
  return time;
}

constexpr double kWaits = 0.3;  ///< share of a sample's time; above it storage matters

/// How long a sample waits if `readers` instead of `now` read at once. If twice the readers read
/// `mean` times as much, each of them waits 2 / mean times as long.
double waitsWith(std::size_t readers, std::size_t now, double waits, const RateRatio& moreReaders) {
  const double doublings = std::log2(static_cast<double>(readers) / static_cast<double>(now));
  return waits * std::pow(std::clamp(2 / moreReaders.mean, 1.0, 2.0), doublings);
}

/// Factor on a sample's time if `reads` are in progress ahead of the threads; nullopt if it is not
/// known. The larger of two bounds: the threads' own work and storage.
std::optional<double> slowdownAhead(std::size_t reads, const RunCounters& counters,
                                    const ProbedGains& gains) {
  const SampleTime time = sampleTimeOf(counters);
  const std::size_t now = counters.stages.front().threads;
  const double before = time.with(now, time.waiting);
  if (before <= 0 || reads <= now || !gains.moreReaders) return std::nullopt;
  const double storage = waitsWith(reads, now, time.waiting, *gains.moreReaders) *
                         static_cast<double>(now) / static_cast<double>(reads);
  return std::max(time.with(now, 0), storage) / before;
}

/// Factor on a sample's time with `threads` instead of the region's own; nullopt if it depends on
/// storage and nothing is known about that.
std::optional<double> slowdownWith(std::size_t threads, const RunCounters& counters,
                                   const ProbedGains& gains) {
  const SampleTime time = sampleTimeOf(counters);
  const std::size_t now = counters.stages.front().threads;
  const double before = time.with(now, time.waiting);
  if (before <= 0) return std::nullopt;
  double waits = time.waiting;
  if (waits > kWaits * before) {
    if (!gains.moreReaders) return std::nullopt;
    waits = waitsWith(threads, now, waits, *gains.moreReaders);
  }
  return time.with(threads, waits) / before;
}

/// Model of the region before the consumer's only queue; nullopt if the run has another layout.
std::optional<LoaderModel> modelOf(const RunCounters& counters) {
  if (counters.stages.size() != 2 || counters.queues.size() != 1 || counters.samples == 0 ||
      counters.batches == 0 || !counters.cores || !counters.stages.front().strict)
    return std::nullopt;
  const RunCounters::Stage& region = counters.stages.front();
  const auto samples = static_cast<double>(counters.samples);
  LoaderModel model;
  for (const RunCounters::Node& node : region.nodes)
    if (node.busySeconds) model.work.push_back({node.service, *node.busySeconds / samples});
  if (model.work.empty()) return std::nullopt;
  model.betweenSeconds = region.betweenSeconds.value_or(0) / samples;
  model.workers = region.threads;
  model.batchSize = std::max<std::size_t>(1, counters.batchSize);
  model.capacity = counters.queues.front().capacity;
  model.sharedBatches = !region.wholeBatches;
  model.slotCount =
      usualSlots(model.capacity, region.threads, region.wholeBatches, model.batchSize);
  if (counters.stepShare)
    model.stepSeconds =
        *counters.stepShare * counters.seconds / static_cast<double>(counters.batches);
  return model;
}

std::optional<std::size_t> countIn(const std::string& text) {
  std::size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || rest != end) return std::nullopt;
  return count;
}

/// Scales the work of the nodes from `move.to` up to the moved one to the bytes that the moved node
/// leaves. False if a time is not known, and directly after a decoder: it would decode less, by an
/// unknown amount.
bool moveNode(LoaderModel& model, const RunCounters::Stage& region, const Advice& move) {
  const auto& nodes = region.nodes;
  const auto first = std::ranges::find(nodes, move.to, &RunCounters::Node::id);
  const auto moved = std::find_if(
      first, nodes.end(), [&](const RunCounters::Node& node) { return node.id == move.node; });
  if (moved == nodes.end() || !moved->keptBytes) return false;
  if (first == nodes.begin() || std::prev(first)->work == WorkKind::Decode) return false;
  if (std::any_of(first, moved + 1,
                  [](const RunCounters::Node& node) { return !node.busySeconds; }))
    return false;
  // The model has an entry for each node whose time is known, in their order.
  auto work = model.work.begin() + std::count_if(nodes.begin(), first, [](const auto& node) {
                return node.busySeconds.has_value();
              });
  for (auto node = first; node != moved; ++node) (work++)->meanSeconds *= *moved->keptBytes;
  return true;
}

/// Applies the advice to the model. False if the simulation does not cover the change.
bool change(LoaderModel& model, const RunCounters& counters, const Advice& advice,
            const ProbedGains& gains) {
  if (advice.edit == Advice::Edit::MoveNode)
    return moveNode(model, counters.stages.front(), advice);
  if (advice.edit != Advice::Edit::Parameter) return false;
  const bool ofRegion = advice.node == counters.stages.front().workers;
  const std::optional<std::size_t> count = countIn(advice.to);
  if (!count || *count == 0) return false;
  if (ofRegion && advice.param == "count") {
    const std::optional<double> slowdown = slowdownWith(*count, counters, gains);
    if (!slowdown) return false;
    model.slowdown = *slowdown;
    model.workers = *count;
    return true;
  }
  if (advice.param == "read_ahead" && counters.readAhead == std::size_t{0}) {
    const std::optional<double> slowdown = slowdownAhead(*count, counters, gains);
    if (slowdown) model.slowdown = *slowdown;
    return slowdown.has_value();
  }
  if (advice.node != counters.queues.front().prefetch) return false;
  model.slotCount += *count - model.capacity;
  model.capacity = *count;
  return true;
}

RatePrediction around(double middle, double low, double high) {
  return {std::min(low, (1 - kLeastError) * middle), middle,
          std::max(high, (1 + kLeastError) * middle)};
}

std::optional<RatePrediction> probedRate(double measured, const Advice& advice,
                                         const ProbedGains& gains) {
  const auto found = std::ranges::find(gains.caches, advice.node, &ProbedGains::Cache::after);
  if (found == gains.caches.end() || measured <= 0) return std::nullopt;
  const RateRatio& ratio = found->ratio;
  return around(measured * ratio.mean, measured * ratio.least, measured * ratio.most);
}

}  // namespace

std::optional<RatePrediction> predictedRate(const RunCounters& counters, const Advice& advice,
                                            const ProbedGains& gains) {
  const double measured = counters.samplesPerSecond();
  if (advice.edit == Advice::Edit::AddCache) return probedRate(measured, advice, gains);
  std::optional<LoaderModel> now = modelOf(counters);
  if (!now || measured <= 0) return std::nullopt;
  now->sampleSeconds = gains.sampleSeconds;
  LoaderModel then = *now;
  if (!change(then, counters, advice, gains)) return std::nullopt;
  const double simulated = simulatedRate(*now, kSeed);
  const double changed = simulatedRate(then, kSeed);
  if (simulated <= 0 || changed <= 0) return std::nullopt;
  const double error = std::abs(simulated / measured - 1);
  const double middle = measured * changed / simulated;
  return around(middle, middle * std::max(0.0, 1 - error), middle * (1 + error));
}

}  // namespace millrace
