// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "core/analyse/live_limit.h"
#include "core/events/event_reader.h"
#include "core/spec/node_spec.h"
#include "widgets/models/live_span.h"
#include "widgets/models/run_settings.h"
#include "widgets/models/running_median.h"
#include "widgets/models/time_series.h"

namespace millrace {

/// What a person calls a node.
struct NodeName {
  QString title;
  Category category = Category::Tensor;
};
using NodeNames = std::map<std::string, NodeName>;

/// A repeat in the run's strip, in seconds.
struct RepeatProgress {
  double warmupSeconds = 0;
  double measuredSeconds = 0;
  double warmupDone = 0;
  double measuredDone = 0;
};

/// A span of the stream's time.
struct TimeSpan {
  double from = 0;
  double to = 0;
  bool operator==(const TimeSpan&) const = default;
};

/// A run as it stands, from its events alone: what every view of a running pipeline shows. It keeps
/// the last minute, and stays as it was when the run has ended. Value; GUI thread.
class LiveRun {
 public:
  enum class State { None, Preparing, WarmUp, Measuring, Ended };
  static constexpr double kLiveSeconds = 1.05;  ///< that live figures look back: five snapshots

  void begin(const QString& title, const MeasureChoice& measure, NodeNames names);
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end);

  State state() const { return m_state; }
  bool isOver() const { return m_state == State::Ended; }
  const QString& title() const { return m_title; }
  /// "Run 42", "Run" where it is not kept.
  QString label() const;
  const QString& runId() const { return m_runId; }
  const std::optional<ChildEnd>& end() const { return m_end; }

  /// Of the last event, by the stream's clock.
  double now() const { return m_now; }
  const std::optional<PlanEvent>& plan() const { return m_plan; }
  QString titleOf(const std::string& node) const;
  Category categoryOf(const std::string& node) const;
  /// The stage whose threads spend this node's time; nullptr where none does.
  const LiveLayout::Stage* stageOf(const std::string& node) const;
  const LiveLayout& layout() const { return m_layout; }
  /// The node that shows the work of a node that was fused into it; empty where it shows its own.
  std::string fusedInto(const std::string& node) const;

  std::vector<RepeatProgress> repeats() const;
  const RunPhase& phase() const { return m_phase; }
  /// Of the whole run; absent where it is not measured by time.
  std::optional<double> secondsLeft() const;
  /// "repeat 2 of 3, measuring 3 of 5 s", "warming up 1 of 2 s".
  QString phaseWords() const;

  const TimeSeries& windowRates() const { return m_rate; }
  /// Those of the measured spans alone.
  const TimeSeries& measuredRates() const { return m_measured; }
  const TimeSeries& median() const { return m_median; }
  /// Least and greatest mean of the repeats so far.
  const TimeSeries& bandLow() const { return m_low; }
  const TimeSeries& bandHigh() const { return m_high; }
  /// Fill of each queue in percent, the mean of the last second, in the plan's order.
  const std::vector<TimeSeries>& queueFill() const { return m_fill; }
  const TimeSeries& memory() const { return m_memory; }  ///< MB held
  const TimeSeries& coresUsed() const { return m_coresUsed; }
  /// Percent of the last second, and of the device's memory; empty where no GPU tells them.
  const TimeSeries& gpuBusy() const { return m_gpuBusy; }
  const TimeSeries& gpuMemory() const { return m_gpuMemory; }
  /// Warm-ups; the last one may still go on.
  const std::vector<TimeSpan>& warmups() const { return m_warmups; }

  /// Of the last second.
  LiveSpan latest() const { return spanOf(m_snapshots, m_now - kLiveSeconds, m_now); }
  /// Of any span of the last minute.
  LiveSpan between(const TimeSpan& span) const { return spanOf(m_snapshots, span.from, span.to); }
  /// The GPU over a span of the last minute; nothing where the engine watches none.
  std::optional<GpuFigures> gpuBetween(const TimeSpan& span) const {
    return gpuOf(m_snapshots, span.from, span.to);
  }
  std::optional<GpuFigures> latestGpu() const { return gpuBetween({m_now - kLiveSeconds, m_now}); }
  /// The measured span of this repeat so far, else the last second.
  TimeSpan measuredSpan() const;

  LiveFinding finding() const { return m_limit ? m_limit->finding() : LiveFinding{}; }
  std::uint64_t failedSamples() const { return m_failed; }
  const std::vector<ProblemEvent>& problems() const { return m_problems; }
  std::uint64_t peakBytes() const { return m_peakBytes; }
  std::uint64_t samplesRead() const { return m_samples; }
  std::uint64_t droppedSnapshots() const { return m_dropped; }
  const std::optional<ResultEvent>& result() const { return m_result; }

 private:
  void takePlan(const PlanEvent& plan);
  void takePhase(const RunPhase& phase);
  void takeSnapshot(const SnapshotEvent& snapshot);
  void takeWindow(const WindowEvent& window);
  void takeProblem(const ProblemEvent& problem);
  void addWarmupRate(const SnapshotEvent& snapshot);
  void addSeries(const SnapshotEvent& snapshot);
  void addGpu();
  void closeWarmup();
  void addGaps();

  State m_state = State::None;
  QString m_title;
  QString m_runId;
  MeasureChoice m_measure;
  NodeNames m_names;
  std::optional<ChildEnd> m_end;
  double m_now = 0;
  std::optional<PlanEvent> m_plan;
  LiveLayout m_layout;
  std::optional<LiveLimit> m_limit;
  RunPhase m_phase;
  std::optional<double> m_waitSeconds;  ///< at most, for the cores, before the next phase
  double m_phaseSeconds = 0;            ///< length of the phase
  double m_phaseBegin = 0;              ///< by the stream's clock
  Snapshots m_snapshots;

  TimeSeries m_rate;
  TimeSeries m_measured;
  TimeSeries m_median;
  TimeSeries m_low;
  TimeSeries m_high;
  TimeSeries m_memory;
  TimeSeries m_coresUsed;
  TimeSeries m_gpuBusy;
  TimeSeries m_gpuMemory;
  std::vector<TimeSeries> m_fill;
  std::vector<TimeSpan> m_warmups;
  RunningMedian m_windowMedian;                              ///< of all repeats
  std::map<std::size_t, std::pair<double, double>> m_sums;   ///< repeat: samples, seconds
  std::optional<std::pair<double, std::uint64_t>> m_anchor;  ///< of the warm-up's rate

  std::uint64_t m_failed = 0;
  std::uint64_t m_samples = 0;
  std::uint64_t m_samplesBefore = 0;  ///< of the repeats that are over
  std::uint64_t m_peakBytes = 0;
  std::uint64_t m_dropped = 0;
  std::vector<ProblemEvent> m_problems;
  std::optional<ResultEvent> m_result;
};

}  // namespace millrace
