// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <QString>

#include "core/analysis/live_limit.h"
#include "core/events/stream/event_reader.h"
#include "core/monitor/traffic.h"
#include "core/spec/node_spec.h"
#include "widgets/models/live/live_span.h"
#include "widgets/models/live/run_settings.h"
#include "widgets/models/live/running_median.h"
#include "widgets/models/live/time_series.h"

namespace millrace {

/// The names of a node for the user.
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

/// The state of a run, built from its events alone, for every view of a running pipeline. It holds
/// an hour, of which all but the last minute in steps of a second, and stays unchanged after the
/// end. Value; GUI thread.
class LiveRun {
 public:
  enum class State { None, Preparing, WarmUp, Measuring, Ended };
  static constexpr double kLiveSeconds = 1.05;  ///< span of live figures: five snapshots
  /// While a run goes on, its charts show this long; its end keeps every snapshot for this long.
  static constexpr double kChartSeconds = 60;

  void begin(const QString& title, const MeasureChoice& measure, NodeNames names);
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end);

  State state() const { return m_state; }
  bool isOver() const { return m_state == State::Ended; }
  const QString& title() const { return m_title; }
  /// "Run 42"; "Run" if it is not kept.
  QString label() const;
  const QString& runId() const { return m_runId; }
  const std::optional<ChildEnd>& end() const { return m_end; }

  /// The time of the last event, by the stream's clock.
  double now() const { return m_now; }
  /// The time at which the first warm-up began.
  double began() const { return m_began.value_or(m_now); }
  const std::optional<PlanEvent>& plan() const { return m_plan; }
  QString titleOf(const std::string& node) const;
  /// Whether its output is batches; false if that is not known.
  bool passesBatches(const std::string& node) const;
  Category categoryOf(const std::string& node) const;
  /// The stage whose threads run this node; nullptr if there is none.
  const LiveLayout::Stage* stageOf(const std::string& node) const;
  const LiveLayout& layout() const { return m_layout; }
  /// The node into which this one was fused and which shows its work; empty if it is not fused.
  std::string fusedInto(const std::string& node) const;

  std::vector<RepeatProgress> repeats() const;
  const RunPhase& phase() const { return m_phase; }
  /// Time left in the whole run; nullopt if it is not limited by time.
  std::optional<double> secondsLeft() const;
  /// "repeat 2 of 3, measuring 3 of 5 s", "warming up 1 of 2 s".
  QString phaseText() const;

  const TimeSeries& windowRates() const { return m_rate; }
  /// The windows of measured spans only.
  const TimeSeries& measuredRates() const { return m_measured; }
  const TimeSeries& median() const { return m_median; }
  /// Smallest and largest mean of the repeats so far.
  const TimeSeries& bandLow() const { return m_low; }
  const TimeSeries& bandHigh() const { return m_high; }
  /// Fill of each queue in percent, averaged over the last second, in the plan's order.
  const std::vector<TimeSeries>& queueFill() const { return m_fill; }
  const TimeSeries& memory() const { return m_memory; }  ///< MB held
  const TimeSeries& coresUsed() const { return m_coresUsed; }
  /// MB/s; empty if the engine does not count this flow.
  const TimeSeries& flow(Flow flow) const { return m_flows[static_cast<std::size_t>(flow)]; }
  /// Percent of the last second, and of the device's memory; empty if no GPU reports them.
  const TimeSeries& gpuBusy() const { return m_gpuBusy; }
  const TimeSeries& gpuMemory() const { return m_gpuMemory; }
  /// When each repeat began, by its warm-up.
  const std::vector<double>& begins() const { return m_begins; }
  /// Warm-ups; the last one may still be going on.
  const std::vector<TimeSpan>& warmups() const { return m_warmups; }

  /// The last second.
  LiveSpan latest() const { return spanOf(m_snapshots, m_now - kLiveSeconds, m_now); }
  /// What the figures of nodes and queues are of: the last second, and once the run is over all of
  /// its measured spans.
  LiveSpan shown() const;
  /// The measured span so far, and once the run is over all of them.
  LiveSpan measured() const;
  /// The run's rate in samples/s, once it is known.
  std::optional<double> rate() const;
  /// Any span of the run: what was measured in it. Only a span that lies in warm-ups is of those.
  LiveSpan between(const TimeSpan& span) const;
  /// What a view shows of the user's range or, without one, of the measured span.
  LiveSpan of(const std::optional<TimeSpan>& range) const {
    return range ? between(*range) : measured();
  }
  /// The GPU over a span of the run, like `between`; nullopt if the engine monitors none.
  std::optional<GpuFigures> gpuBetween(const TimeSpan& span) const;
  /// The GPU in the last second, and once the run is over in all of its measured spans.
  std::optional<GpuFigures> shownGpu() const;
  /// The measured span of this repeat so far; before it, the last second.
  TimeSpan measuredSpan() const;

  /// What limits the run: of the last seconds, and once the run is over of all its measured spans.
  LiveFinding finding() const;
  /// Whether the training step limits the run, so that a faster loader would gain nothing.
  bool keepsUp() const;
  /// Whether it is measured for so short a time that what limits it is only likely.
  bool isBrief() const;
  std::uint64_t failedSamples() const { return m_failed; }
  const std::vector<ProblemEvent>& problems() const { return m_problems; }
  std::uint64_t peakBytes() const { return m_peakBytes; }
  std::uint64_t samplesRead() const { return m_samples; }
  const std::optional<ResultEvent>& result() const { return m_result; }

 private:
  void takePlan(const PlanEvent& plan);
  void takePhase(const RunPhase& phase);
  void takeSnapshot(const SnapshotEvent& snapshot);
  void takeWindow(const WindowEvent& window);
  void takeProblem(const ProblemEvent& problem);
  void addWarmupRate(const SnapshotEvent& snapshot);
  void addSeries(const SnapshotEvent& snapshot);
  void addFlows(const LiveSpan& span);
  void addGpu();
  std::optional<GpuFigures> latestGpu() const {
    return gpuOf(m_snapshots, m_now - kLiveSeconds, m_now);
  }
  void closeWarmup();
  void addGaps();
  void thinSnapshots();

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
  std::optional<LiveFinding> m_found;  ///< by the figures of the whole run
  RunPhase m_phase;
  std::optional<double> m_waitSeconds;  ///< upper limit of the wait before the next phase
  double m_phaseSeconds = 0;            ///< length of the phase
  double m_phaseBegin = 0;              ///< by the stream's clock
  Snapshots m_snapshots;
  std::size_t m_dense = 0;  ///< index of the first snapshot of the last minute
  std::optional<double> m_began;

  TimeSeries m_rate;
  TimeSeries m_measured;
  TimeSeries m_median;
  TimeSeries m_low;
  TimeSeries m_high;
  TimeSeries m_memory;
  TimeSeries m_coresUsed;
  std::array<TimeSeries, kFlows> m_flows;
  TimeSeries m_gpuBusy;
  TimeSeries m_gpuMemory;
  std::vector<TimeSeries> m_fill;
  std::vector<double> m_begins;
  std::vector<TimeSpan> m_warmups;
  RunningMedian m_windowMedian;                              ///< over all repeats
  std::map<std::size_t, std::pair<double, double>> m_sums;   ///< repeat: samples, seconds
  std::optional<std::pair<double, std::uint64_t>> m_anchor;  ///< start of the warm-up's rate

  std::uint64_t m_failed = 0;
  std::uint64_t m_samples = 0;
  std::uint64_t m_samplesBefore = 0;  ///< in the completed repeats
  std::uint64_t m_peakBytes = 0;
  std::vector<ProblemEvent> m_problems;
  std::optional<ResultEvent> m_result;
};

}  // namespace millrace
