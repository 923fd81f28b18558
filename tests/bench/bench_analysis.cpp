// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The cost of a diagnosis besides its runs: the finding, its advice, and a prediction for each,
// from the counters of a run with twelve nodes. Target: under 10 ms.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/analysis/advice.h"
#include "core/analysis/bottleneck.h"
#include "core/analysis/what_if.h"

namespace millrace {

namespace {

/// Times that scatter over two decades, like those of photos.
Histogram scattered(double meanNs) {
  Histogram times;
  for (int i = -10; i <= 10; ++i)
    times
        .counts[Histogram::bucketOf(static_cast<std::uint64_t>(meanNs * std::pow(10, i / 10.0)))] +=
        static_cast<std::uint64_t>(1000 * std::exp(-i * i / 20.0));
  return times;
}

/// Ten seconds on two threads of four cores, before a step.
RunCounters counted(double stepShare) {
  RunCounters counters;
  counters.seconds = 10;
  counters.samples = 20000;
  counters.batches = 312;
  counters.batchSize = 64;
  counters.batchNode = "batch";
  counters.cores = 4;
  counters.cpuSeconds = 19.8;
  counters.residentShare = 1;
  counters.otherBusyShare = 0.01;
  RunCounters::Stage region;
  region.id = region.workers = "workers";
  region.threads = 2;
  region.cpuSeconds = 19.6;
  region.runDelaySeconds = 0.1;
  region.betweenSeconds = 0.3;
  region.nodes.push_back({"folder", WorkKind::Read, 2.0, "", scattered(100000)});
  region.nodes.push_back({"decode", WorkKind::Decode, 11.0, "", scattered(550000)});
  for (int i = 0; i < 10; ++i)
    region.nodes.push_back(
        {"work_" + std::to_string(i), WorkKind::Augment, 0.65, "", scattered(32000)});
  RunCounters::Stage consumer;
  consumer.id = "step";
  consumer.nodes.push_back({"step", WorkKind::Step, 10 * stepShare, "", {}});
  counters.stages = {region, consumer};
  counters.stepShare = stepShare;
  RunCounters::Queue queue;
  queue.id = queue.prefetch = "prefetch";
  queue.capacity = 2;
  queue.emptyShare = 0.97;
  queue.fullShare = 0;
  queue.readerWaitSeconds = 10 * (1 - stepShare);
  queue.writerWaitSeconds = 0;
  counters.queues = {queue};
  return counters;
}

void analyse(benchmark::State& state) {
  const RunCounters counters = counted(static_cast<double>(state.range(0)) / 100);
  std::size_t said = 0;
  for (auto _ : state) {
    const LimitFinding finding = findLimit(counters);
    for (const Advice& advice : adviceFor(finding, counters, {}))
      said += predictedRate(counters, advice).has_value() ? 1 : 0;
  }
  if (said == 0) state.SkipWithError("nothing was predicted");
}
BENCHMARK(analyse)->Arg(5)->Arg(60)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace millrace
