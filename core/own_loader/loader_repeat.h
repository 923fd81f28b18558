// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/inherited_text.h"
#include "core/measure/span_figures.h"
#include "core/measure/span_meter.h"
#include "core/monitor/family_sampler.h"
#include "core/own_loader/loader_run.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// One repeat of a LoaderRun: a process and its measured span. The thread of `go` hears the
/// harness; a second thread samples the process five times a second, calls the observer and watches
/// for a loader that yields nothing. Thread-safe (monitor).
class LoaderRun::Repeat {
 public:
  /// `text`: the harness, in memory. `run` must outlive this object.
  Repeat(LoaderRun& run, const InheritedText& parts, std::size_t index);

  /// Blocks until the process has ended. The error says that it could not be started.
  Status go();
  void stop() MILLRACE_EXCLUDES(m_mutex);

  // After `go`.
  /// nullopt if the span never began or has no batch.
  std::optional<SpanFigures> figures() MILLRACE_EXCLUDES(m_mutex);
  bool gotBatch() MILLRACE_EXCLUDES(m_mutex);
  /// Why the loader failed, with the user's frames in further lines; empty if it did not.
  std::string failure() MILLRACE_EXCLUDES(m_mutex);
  /// The first epoch, if it ended.
  std::optional<LoaderEpoch> epoch() MILLRACE_EXCLUDES(m_mutex);
  std::optional<Shares> shares() MILLRACE_EXCLUDES(m_mutex);
  /// What ended the span before its time, if not a failure.
  std::string endedEarly() MILLRACE_EXCLUDES(m_mutex);

 private:
  struct Update {
    bool begins = false;
    std::optional<RunPhase> phase;
    std::vector<RateWindow> windows;
    std::optional<RunSnapshot> snapshot;
  };

  SpanMeter::Limits limits() const;
  void hear(std::string_view line) MILLRACE_EXCLUDES(m_mutex);
  void take(const LoaderStarted& started) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderReady& ready) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderFirst& first) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderBatches& batches) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderTimes& times) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderEpoch& epoch) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderEmpty& empty) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderExhausted&) MILLRACE_REQUIRES(m_mutex);
  void take(const PythonTrouble& trouble) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderLeft& left) MILLRACE_REQUIRES(m_mutex);
  void take(const LoaderExited& exited) MILLRACE_REQUIRES(m_mutex);

  std::string nameOfFile() const { return m_run.m_loader.file.filename().string(); }
  const LoaderNodes& nodes() const MILLRACE_REQUIRES(m_mutex) { return *m_run.m_nodes; }
  void addInside(std::vector<NodeTotals>& nodes) const MILLRACE_REQUIRES(m_mutex);
  void startMeter(SteadyTime at) MILLRACE_REQUIRES(m_mutex);
  void beginSpan() MILLRACE_REQUIRES(m_mutex);
  void endSpan() MILLRACE_REQUIRES(m_mutex);
  void fail(std::string reason) MILLRACE_REQUIRES(m_mutex);
  void askToEnd() MILLRACE_REQUIRES(m_mutex);
  SpanEdge edge() MILLRACE_REQUIRES(m_mutex);
  RunTotals totals() const MILLRACE_REQUIRES(m_mutex);
  RunPhase phase() const MILLRACE_REQUIRES(m_mutex);
  double secondsLeft() const MILLRACE_REQUIRES(m_mutex);
  void sampleLoop() MILLRACE_EXCLUDES(m_mutex);
  std::optional<Update> nextUpdate(SteadyTime& next) MILLRACE_EXCLUDES(m_mutex);
  Update collect() MILLRACE_REQUIRES(m_mutex);
  void report(const Update& update) MILLRACE_EXCLUDES(m_mutex);
  RunSnapshot snapshot() MILLRACE_REQUIRES(m_mutex);
  void watchPatience() MILLRACE_REQUIRES(m_mutex);
  void judgeEnd(const TrialEnd& end) MILLRACE_EXCLUDES(m_mutex);
  void addNodes(SpanFigures& span) const MILLRACE_REQUIRES(m_mutex);

  LoaderRun& m_run;
  const std::size_t m_index;
  const Clock& m_clock;
  TrialProcess m_process;

  Mutex m_mutex;
  Condition m_wake;
  std::optional<FamilySampler> m_sampler MILLRACE_GUARDED_BY(m_mutex);
  std::optional<SpanMeter> m_meter MILLRACE_GUARDED_BY(m_mutex);  ///< once warm-up or span began
  SteadyTime m_started MILLRACE_GUARDED_BY(m_mutex);
  SteadyTime m_lastNews MILLRACE_GUARDED_BY(m_mutex);  ///< a batch, or a step towards the first
  LoaderFacts m_facts MILLRACE_GUARDED_BY(m_mutex);
  LoaderBatches m_batches MILLRACE_GUARDED_BY(m_mutex);  ///< the latest
  LoaderTimes m_times MILLRACE_GUARDED_BY(m_mutex);      ///< the latest
  SpanEdge m_begin MILLRACE_GUARDED_BY(m_mutex);
  SpanEdge m_end MILLRACE_GUARDED_BY(m_mutex);
  FamilySample m_beginFamily MILLRACE_GUARDED_BY(m_mutex);
  FamilySample m_family MILLRACE_GUARDED_BY(m_mutex);  ///< the latest
  std::optional<GpuFigures> m_gpu MILLRACE_GUARDED_BY(m_mutex);
  bool m_gotBatch MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_announced MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the observer knows of the repeat
  bool m_measuring MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_ended MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the span, or the loader
  bool m_exited MILLRACE_GUARDED_BY(m_mutex) = false;
  /// When the guard was first asked to end everything.
  std::optional<SteadyTime> m_asked MILLRACE_GUARDED_BY(m_mutex);
  bool m_done MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_newPhase MILLRACE_GUARDED_BY(m_mutex) = false;
  std::size_t m_windowsReported MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::optional<LoaderEpoch> m_epoch MILLRACE_GUARDED_BY(m_mutex);
  std::string m_failure MILLRACE_GUARDED_BY(m_mutex);
  std::string m_endedEarly MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
