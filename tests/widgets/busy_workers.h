// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/run_result.h"

namespace millrace::tests {

/// Three repeats of a run of steppedPipeline on 8 cores: its two threads are busy while its step
/// waits.
inline RunResult busyWorkers(std::size_t threads, double rate = 1000) {
  SpanFigures repeat;
  repeat.seconds = 5;
  repeat.samples = static_cast<std::uint64_t>(5 * rate);
  repeat.batches = repeat.samples / 8;
  repeat.samplesPerSecond.mean = rate;
  repeat.cpuSecondsPer1000Samples = static_cast<double>(threads);
  repeat.otherBusyShare = 0.01;
  repeat.stepShare = 0.1;
  for (const char* id : {"source", "workers", "batch", "prefetch", "step"}) {
    NodeFigures node;
    node.id = id;
    repeat.nodes.push_back(node);
  }
  NodeFigures& source = repeat.nodes.front();
  source.items = repeat.samples;
  source.busySeconds = 4.9 * static_cast<double>(threads);
  source.service.counts[Histogram::bucketOf(980'000 * threads)] = repeat.samples;
  repeat.nodes.back().busySeconds = 0.5;
  repeat.nodes.back().items = repeat.batches;
  QueueFigures queue;
  queue.id = "prefetch";
  queue.capacity = 2;
  queue.emptyShare = 0.97;
  queue.fullShare = 0.01;
  repeat.queues.push_back(queue);
  StageFigures stage;
  stage.id = "workers";
  stage.threads = threads;
  stage.cpuSeconds = 4.9 * static_cast<double>(threads);
  repeat.stages.push_back(stage);
  RunResult result;
  result.figures = repeat;
  result.repeats.assign(3, repeat);
  result.environment = {{"cores_usable", "8"}};
  return result;
}

}  // namespace millrace::tests
