// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <QString>

#include "core/analysis/bottleneck.h"

namespace millrace::tests {

/// Ten seconds of a folder, a decoder and an augmentation on two threads of two cores, followed by
/// a queue of two batches and a drain. `busy`: seconds of the three nodes over both threads; 19 in
/// all if the region is busy.
inline RunCounters loaderBound(const std::vector<double>& busy) {
  RunCounters counters;
  counters.seconds = 10;
  counters.samples = 1000;
  counters.batches = 100;
  counters.cores = 2;
  counters.cpuSeconds = 19.5;
  counters.residentShare = 1;
  counters.otherBusyShare = 0.01;
  counters.batchNode = "batch";
  counters.batchSize = 10;
  RunCounters::Stage region;
  region.id = region.workers = "workers";
  region.threads = 2;
  region.cpuSeconds = 19;
  region.runDelaySeconds = 0.2;
  region.betweenSeconds = 0.1;
  region.nodes = {{"folder", WorkKind::Read, busy[0], ""},
                  {"decode", WorkKind::Decode, busy[1], ""},
                  {"affine", WorkKind::Augment, busy[2], ""}};
  RunCounters::Stage consumer;
  consumer.id = "drain";
  consumer.nodes = {{"drain", WorkKind::Step, {}, ""}};
  counters.stages = {region, consumer};
  RunCounters::Queue queue;
  queue.id = queue.prefetch = "prefetch";
  queue.capacity = 2;
  queue.emptyShare = 0.98;
  queue.fullShare = 0;
  queue.readerWaitSeconds = 9.8;
  queue.writerWaitSeconds = 0;
  queue.headOfLineSeconds = 0;
  counters.queues = {queue};
  return counters;
}

/// The same with a step that is busy `share` of the time.
inline RunCounters stepBound(double share) {
  RunCounters counters = loaderBound({1, 4, 2});
  counters.cpuSeconds = 7;
  counters.stages[0].cpuSeconds = 7;
  counters.stages[1].nodes = {{"step", WorkKind::Step, 10 * share, ""}};
  counters.stepShare = share;
  counters.stepOverNominal = 1;
  counters.queues[0].emptyShare = 0.01;
  counters.queues[0].fullShare = 0.9;
  counters.queues[0].readerWaitSeconds = 0.05;
  counters.queues[0].writerWaitSeconds = 12;
  return counters;
}

}  // namespace millrace::tests

/// Checks that the finding names this cause.
#define COMPARE_LIMIT(finding, expectedKind, expectedNode)                                         \
  do {                                                                                             \
    const ::millrace::LimitFinding compared = (finding);                                           \
    QVERIFY2(compared.confidence != ::millrace::Confidence::CannotTell, compared.decides.c_str()); \
    QCOMPARE(QString::fromUtf8(::millrace::nameOf(compared.limit.kind).data()),                    \
             QString(expectedKind));                                                               \
    QCOMPARE(QString::fromStdString(compared.limit.node), QString(expectedNode));                  \
  } while (false)
