// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/advice.h"
#include "core/analysis/differential.h"
#include "core/analysis/what_if.h"
#include "core/base/mutex.h"
#include "core/measure/measured_run.h"
#include "core/tune/block_measurement.h"
#include "core/tune/probe_plans.h"
#include "core/tune/run_counters_of.h"

namespace millrace {

struct DiagnosisSettings {
  double warmupSeconds = 0.5;
  double seconds = 2;
  std::optional<std::uint64_t> epochs;  ///< the span ends after them if that is earlier
  std::size_t blocks = 2;  ///< for the probes, and the same number again for the advice
  std::uint64_t seed = 0;  ///< for the order within blocks
  FailureLimit failureLimit;
  bool awaitCores = false;  ///< as in MeasureSettings
  bool fuse = true;
  bool noRandom = false;
  double memoryBytes = 1e9;  ///< limit for a cache, in the run from memory and in advice
  RunSurroundings surroundings;
  /// Called before each repeat, on the thread of `run`. Sets the state of the page cache and
  /// returns the share of the data that it then holds (surroundings.residentShare), if known.
  std::function<std::optional<double>()> beforeRepeat;
  /// The plan of the pipeline with an advice applied, to measure it. An error is reported in
  /// `leftOut`.
  std::function<Result<Plan>(const Advice&)> planWith;

  /// For a `beforeRepeat` that drops the data from the page cache: data read in a warm-up or a
  /// second epoch would come from memory.
  void readOnce() {
    warmupSeconds = 0;
    epochs = 1;
  }
};

/// Progress of a diagnosis: a repeat begins.
struct DiagnosisStep {
  std::string what;        ///< "up to resize, then batched", "initial run"
  bool baseline = false;   ///< of the whole pipeline; may be counted (DiagnosisObserver::onKept)
  std::size_t done = 0;    ///< repeats before this one
  std::size_t of = 0;      ///< repeats in total, as far as known
  double secondsLeft = 0;  ///< for everything, including this repeat
};

/// Notified on the thread of Diagnosis::run, and about its repeats as a RunObserver.
class DiagnosisObserver : public RunObserver {
 public:
  virtual void onStep(const DiagnosisStep&) {}
  /// The last repeat of the baseline is counted.
  virtual void onKept(const SpanFigures&) {}
};

/// A probe that was run.
struct DiagnosisRun {
  Probe probe = Probe::Baseline;
  std::string what;
  std::vector<double> rates;  ///< samples/s by block

  /// Geometric mean of the blocks that were measured; nullopt if none was.
  std::optional<double> rate() const;
};

struct DiagnosisResult {
  BlockEnd end = BlockEnd::Finished;
  std::string reason;  ///< if Failed
  LimitFinding finding;
  RunCounters counters;  ///< of the baseline, with the time of fused nodes divided among them
  std::optional<StallSplit> stalls;
  ProbedGains gains;
  std::vector<Advice> advice;
  /// For each advice, made before it was tried.
  std::vector<std::optional<RatePrediction>> predicted;
  std::optional<RateRatio> adviceGave;  ///< rate with the first advice divided by the rate without
  std::vector<DiagnosisRun> runs;
  std::vector<std::string> leftOut;   ///< probes that could not be run, one sentence each
  std::vector<SpanFigures> baseline;  ///< one for each block
  std::size_t replaced = 0;           ///< disturbed blocks that were measured again
  std::size_t disturbed = 0;          ///< disturbed blocks that were counted
};

/// Finds what limits a pipeline: runs it whole and with parts left out, in interleaved blocks, then
/// with the first advice applied. `run` once, on one thread; `stop` and `cancel` from any.
class Diagnosis {
 public:
  /// All arguments must outlive this object. `plan` has its source open; `caches` are those of the
  /// plan.
  Diagnosis(const Plan& plan, const CacheSet& caches, DiagnosisSettings settings,
            DiagnosisObserver& observer, const Clock& clock = steadyClock());
  ~Diagnosis();

  DiagnosisResult run();
  void stop();
  void cancel();

 private:
  struct Side;
  class Steps;
  using Sides = std::vector<std::unique_ptr<Side>>;

  bool stopped() const;
  double secondsPerRepeat() const;
  MeasureSettings measureSettings() const;
  using SideSpan = std::span<const std::unique_ptr<Side>>;
  /// Measures blocks of `sides`. `after`: number of repeats that will follow, for the time left.
  BlockResult measure(SideSpan sides, const MeasureSettings& repeat, std::size_t blocks,
                      std::size_t after);
  /// Seconds that an epoch over all data takes, which fills a cache.
  double fillingSeconds() const;
  /// Runs one epoch of the side to fill its caches; false if that failed or was stopped.
  bool fill(SideSpan side, std::size_t after);
  bool initialRun();
  bool fillCaches(const Sides& sides);
  Sides makeSides();
  void keepRuns(const Sides& sides, const MeasuredBlocks& measured);
  void analyse();
  void tryAdvice();
  void recordEnd(const BlockResult& blocks, SideSpan sides);

  const Plan& m_plan;
  const CacheSet& m_caches;
  const DiagnosisSettings m_settings;
  RunSurroundings m_surroundings;  ///< before the last repeat
  DiagnosisObserver& m_observer;
  const Clock& m_clock;
  DiagnosisResult m_result;
  std::vector<ProbeResult> m_probes;
  double m_firstRate = 0;                ///< samples/s of the initial run
  bool m_waits = false;                  ///< whether threads waited for storage in the initial run
  std::optional<double> m_encodedBytes;  ///< of a sample, as read in the initial run
  std::size_t m_done = 0;                ///< number of repeats so far

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  BlockMeasurement* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
