// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "widgets/models/live/live_run.h"
#include "widgets/models/live/time_series.h"

namespace millrace {

/// One line over time.
struct ChartLine {
  QString name;
  int colour = 0;  ///< index of the theme's series colours
  double width = 1;
  bool dashed = false;
  bool quiet = false;  ///< in the text's colour, drawn below the others
  TimeSeries values;
  bool isSummary = false;  ///< of all values so far, so that smoothing it would say nothing
};

/// Something that happened during a run.
struct ChartMark {
  double time = 0;
  QString text;  ///< "repeat 2"
};

/// The content of a time chart at one moment. Value: a frozen chart keeps one.
struct ChartContent {
  double now = 0;     ///< time of the last event, by the stream's clock
  bool over = false;  ///< shown is the whole run, from `began`; else the last minute
  double began = 0;
  QString unit;
  std::optional<double> top;  ///< of the value axis; nullopt: as the values need
  double leastTop = 0;        ///< of a value axis as the values need
  std::vector<ChartLine> lines;
  QString bandName;
  TimeSeries bandLow;
  TimeSeries bandHigh;
  std::vector<TimeSpan> warmups;
  std::vector<ChartMark> marks;
  TimeSeries summarised;   ///< the series summarised below the chart
  QString summarisedName;  ///< its name there, if the chart has several lines of equal rank
  QString pointsName;      ///< what its values are of, if the mean is a separate figure
  /// The mean of that series in a range or, without one, in all measured spans: by the time between
  /// snapshots, as every other view has it. Unset or nullopt: the mean of the series' values.
  std::function<std::optional<double>(const LiveRun& run, const std::optional<TimeSpan>& range)>
      meanOf;
  QString empty;  ///< a sentence that replaces a chart without values

  /// What the chart shows unless the user has zoomed.
  TimeSpan whole() const {
    return {over && now > began ? began : now - LiveRun::kChartSeconds, now};
  }
  bool hasValues() const;
};

/// The content with a moving average over this time next to each line, which becomes thin and grey.
ChartContent smoothed(ChartContent content, double seconds);

/// The lines as a table: seconds before the end, then one column for each line; empty if nothing
/// was measured. The same in every locale.
std::string csvOf(const ChartContent& content);

// The contents of a run's charts.
ChartContent throughputOf(const LiveRun& run);
ChartContent queueFillOf(const LiveRun& run);
ChartContent memoryOf(const LiveRun& run);
ChartContent coresUsedOf(const LiveRun& run);
ChartContent diskOf(const LiveRun& run);
ChartContent networkOf(const LiveRun& run);
ChartContent gpuBusyOf(const LiveRun& run);

}  // namespace millrace
