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

#include "core/analyse/advice.h"
#include "core/analyse/differential.h"
#include "core/analyse/what_if.h"
#include "core/base/mutex.h"
#include "core/run/measured_run.h"
#include "core/tune/block_measurement.h"
#include "core/tune/probe_plans.h"
#include "core/tune/run_counters_of.h"

namespace millrace {

struct DiagnosisSettings {
  double warmupSeconds = 0.5;
  double seconds = 2;
  std::optional<std::uint64_t> epochs;  ///< the span ends with them where they end before
  std::size_t blocks = 2;               ///< of the probes, and as many again with the advice
  std::uint64_t seed = 0;               ///< of the order within blocks
  FailureLimit failureLimit;
  bool awaitCores = false;  ///< as in MeasureSettings
  bool fuse = true;
  bool noRandom = false;
  double memoryBytes = 1e9;  ///< that a cache may take: the run from memory, and what is advised
  RunSurroundings surroundings;
  /// Called before each repeat, on the thread of `run`: puts the page cache into its state and says
  /// what of the data it then holds, for surroundings.residentShare, where that is known.
  std::function<std::optional<double>()> beforeRepeat;
  /// The pipeline with an advice applied, to measure it; an error: it cannot be, which is said.
  std::function<Result<Plan>(const Advice&)> planWith;

  /// For `beforeRepeat` that drops the data: what a warm-up or a second epoch reads would come from
  /// memory.
  void readOnce() {
    warmupSeconds = 0;
    epochs = 1;
  }
};

/// Where a diagnosis is: a repeat begins.
struct DiagnosisStep {
  std::string what;        ///< "up to resize, then batched", "a first look"
  bool asItIs = false;     ///< of the whole pipeline; it may count (DiagnosisObserver::onKept)
  std::size_t done = 0;    ///< repeats before this one
  std::size_t of = 0;      ///< repeats of the whole, as far as is known
  double secondsLeft = 0;  ///< of the whole, this repeat included
};

/// Hears of a diagnosis on the thread of Diagnosis::run, and of its repeats as core/run says.
class DiagnosisObserver : public RunObserver {
 public:
  virtual void onStep(const DiagnosisStep&) {}
  /// The last repeat of the pipeline as it is counts.
  virtual void onKept(const SpanFigures&) {}
};

/// A probe that was run.
struct DiagnosisRun {
  Probe probe = Probe::AsItIs;
  std::string what;
  std::vector<double> rates;  ///< samples/s, one a block
};

struct DiagnosisResult {
  BlockEnd end = BlockEnd::Finished;
  std::string reason;  ///< of Failed
  LimitFinding finding;
  RunCounters counters;  ///< of the pipeline as it is, the time of fused nodes shared out
  std::optional<StallSplit> stalls;
  ProbedGains gains;
  std::vector<Advice> advice;
  std::vector<std::optional<RatePrediction>>
      predicted;                        ///< one an advice, from before it was tried
  std::optional<RateRatio> adviceGave;  ///< rate with the first advice over the one without
  std::vector<DiagnosisRun> runs;
  std::vector<std::string> leftOut;  ///< probes that could not be run, a sentence each
  std::vector<SpanFigures> asItIs;   ///< one a block
  std::size_t replaced = 0;          ///< disturbed blocks measured again
  std::size_t disturbed = 0;         ///< disturbed blocks that counted
};

/// Finds what limits a pipeline by running it whole and without a part each, in interleaved blocks,
/// then with what is advised. `run` once, on one thread; `stop` and `cancel` from any.
class Diagnosis {
 public:
  /// All that is given outlives it. `plan` has its source open; `caches` are its own.
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
  /// Measures blocks of `sides`; `after` repeats are expected to follow them.
  BlockResult measure(SideSpan sides, const MeasureSettings& repeat, std::size_t blocks,
                      std::size_t after);
  /// Seconds in which an epoch of the whole data fills a cache.
  double fillingSeconds() const;
  /// Runs an epoch of the side, for its caches to be filled; false: it did not end well.
  bool fill(SideSpan side, std::size_t after);
  bool firstLook();
  bool fillCaches(const Sides& sides);
  Sides makeSides();
  void keepRuns(const Sides& sides, const MeasuredBlocks& measured);
  void analyse();
  void tryAdvice();
  void note(const BlockResult& blocks, SideSpan sides);

  const Plan& m_plan;
  const CacheSet& m_caches;
  const DiagnosisSettings m_settings;
  RunSurroundings m_surroundings;  ///< as of the last repeat
  DiagnosisObserver& m_observer;
  const Clock& m_clock;
  DiagnosisResult m_result;
  std::vector<ProbeResult> m_probes;
  double m_firstRate = 0;                ///< samples/s of the first look
  bool m_waits = false;                  ///< for storage, in the first look
  std::optional<double> m_encodedBytes;  ///< of a sample, as read in the first look
  std::size_t m_done = 0;                ///< repeats

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  BlockMeasurement* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
