// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/tune/tuner/tune_log.h"

namespace millrace {

// The fields of a tuning's log, each listed once: the archive writes or reads the fields that it is
// given. `named` is for enumerations, which are stored by name. Used by tune_log.cpp only.

inline constexpr std::array<std::string_view, 5> kLogWorkNames = {"read", "decode", "augment",
                                                                  "other", "step"};
inline constexpr std::array<std::string_view, 4> kLogStateNames = {"measured", "replaced", "failed",
                                                                   "over_limit"};
/// The probes' names in logs; some differ from the names that users see.
inline constexpr std::array<std::string_view, 11> kLogProbeNames = {
    "as it is",  // words: ok
    "source alone",    "to decode",   "to batch",   "without step",
    "more readers",    "from memory", "from cache", "nodes apart",
    "as it is, again",  // words: ok
    "as advised"};

/// The names of an enumeration's values up to `last`.
template <class E>
std::vector<std::string_view> logNamesUpTo(E last) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
    names.push_back(nameOf(static_cast<E>(i)));
  return names;
}

template <class Archive>
void logFields(Archive& archive, LimitEvidence& evidence) {
  archive("metric", evidence.metric);
  archive("value", evidence.value);
  archive("meaning", evidence.meaning);
}

template <class Archive>
void logFields(Archive& archive, LimitCause& cause) {
  archive.named("kind", cause.kind, logNamesUpTo(LimitKind::None));
  archive("node", cause.node);
  archive("with", cause.with);
  archive("share", cause.share);
  archive("evidence", cause.evidence);
}

template <class Archive>
void logFields(Archive& archive, LimitFinding& finding) {
  archive.named("sure", finding.confidence, logNamesUpTo(Confidence::CannotTell));
  archive("limit", finding.limit);
  archive("also", finding.also);
  archive("evidence", finding.evidence);
  archive("decides", finding.decides);
  archive("not_measured", finding.notMeasured);
}

template <class Archive>
void logFields(Archive& archive, RunCounters::Node& node) {
  archive("id", node.id);
  archive.named("work", node.work, kLogWorkNames);
  archive("busy_seconds", node.busySeconds);
  archive("fused_into", node.fusedInto);
  archive("service", node.service);
  archive("kept_bytes", node.keptBytes);
}

template <class Archive>
void logFields(Archive& archive, RunCounters::Stage& stage) {
  archive("id", stage.id);
  archive("threads", stage.threads);
  archive("strict", stage.strict);
  archive("whole_batches", stage.wholeBatches);
  archive("workers", stage.workers);
  archive("nodes", stage.nodes);
  archive("cpu_seconds", stage.cpuSeconds);
  archive("run_delay_seconds", stage.runDelaySeconds);
  archive("between_seconds", stage.betweenSeconds);
}

template <class Archive>
void logFields(Archive& archive, RunCounters::Queue& queue) {
  archive("id", queue.id);
  archive("prefetch", queue.prefetch);
  archive("capacity", queue.capacity);
  archive("empty_share", queue.emptyShare);
  archive("full_share", queue.fullShare);
  archive("reader_wait_seconds", queue.readerWaitSeconds);
  archive("writer_wait_seconds", queue.writerWaitSeconds);
  archive("head_of_line_seconds", queue.headOfLineSeconds);
}

template <class Archive>
void logFields(Archive& archive, RunCounters& counters) {
  archive("seconds", counters.seconds);
  archive("samples", counters.samples);
  archive("batches", counters.batches);
  archive("failed_samples", counters.failedSamples);
  archive("stages", counters.stages);
  archive("queues", counters.queues);
  archive("batch_node", counters.batchNode);
  archive("batch_size", counters.batchSize);
  archive("sample_bytes", counters.sampleBytes);
  archive("step_share", counters.stepShare);
  archive("step_over_nominal", counters.stepOverNominal);
  archive("cores", counters.cores);
  archive("cpu_seconds", counters.cpuSeconds);
  archive("other_busy_share", counters.otherBusyShare);
  archive("steal_share", counters.stealShare);
  archive("resident_share", counters.residentShare);
  archive("read_latency_ms", counters.readLatencyMs);
  archive("transfer_seconds", counters.transferSeconds);
  archive("device_seconds", counters.deviceSeconds);
}

template <class Archive>
void logFields(Archive& archive, RateRatio& ratio) {
  archive("mean", ratio.mean);
  archive("least", ratio.least);
  archive("most", ratio.most);
}

template <class Archive>
void logFields(Archive& archive, ProbedGains::Cache& cache) {
  archive("behind", cache.after);
  archive("ratio", cache.ratio);
}

template <class Archive>
void logFields(Archive& archive, ProbedGains& gains) {
  archive("more_readers", gains.moreReaders);
  archive("caches", gains.caches);
  archive("sample_seconds", gains.sampleSeconds);
}

template <class Archive>
void logFields(Archive& archive, DiagnosisRun& run) {
  archive.named("probe", run.probe, kLogProbeNames);
  archive("what", run.what);
  archive("rates", run.rates);
}

template <class Archive>
void logFields(Archive& archive, DiagnosisResult& diagnosis) {
  archive("finding", diagnosis.finding);
  archive("counters", diagnosis.counters);
  archive("runs", diagnosis.runs);
  archive("gains", diagnosis.gains);
}

template <class Archive>
void logFields(Archive& archive, TuneRequest& request) {
  archive("budget", request.budget);
  archive("memory", request.memory);
  archive("cores", request.cores);
  archive("for", request.goal);
  archive("allow", request.allow);
  archive("vary", request.vary);
  archive("seconds", request.seconds);
  archive("warmup", request.warmup);
  archive("trial_timeout", request.trialTimeout);
  archive("max_failures", request.maxFailures);
  archive("no_random", request.noRandom);
  archive("no_fuse", request.noFuse);
}

template <class Archive>
void logFields(Archive& archive, TuneSurvey& survey) {
  archive("spent_seconds", survey.spentSeconds);
  archive("diagnosis_seconds", survey.diagnosisSeconds);
  archive("cache_room_bytes", survey.cacheRoomBytes);
  archive("diagnosed", survey.diagnosed);
  archive("diagnosis_runs", survey.diagnosisRuns);
  archive("diagnosis", survey.diagnosis);
}

template <class Archive>
void logFields(Archive& archive, TuneStep& step) {
  archive("trial", step.trial);
  archive.named("state", step.state, kLogStateNames);
  archive("reason", step.reason);
  archive("seconds", step.seconds);
  archive("spent_seconds", step.spentSeconds);
}

}  // namespace millrace
