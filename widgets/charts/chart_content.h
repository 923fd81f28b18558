// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "widgets/models/live_run.h"
#include "widgets/models/time_series.h"

namespace millrace {

/// One line over the last minute.
struct ChartLine {
  QString name;
  int colour = 0;  ///< of the theme's series
  double width = 1;
  bool dashed = false;
  bool quiet = false;  ///< in the text's colour, behind the others
  TimeSeries values;
};

/// What a time chart shows at one moment. Value: a frozen chart keeps one.
struct ChartContent {
  double now = 0;  ///< 0 of the axis, by the stream's clock
  QString unit;
  std::optional<double> top;  ///< of the value axis; absent: what the values need
  std::vector<ChartLine> lines;
  QString bandName;
  TimeSeries bandLow;
  TimeSeries bandHigh;
  std::vector<TimeSpan> warmups;
  TimeSeries summarised;  ///< what the figures below the chart are of
  QString note;           ///< in place of the figures; without lines in place of the chart
};

/// The lines as a table: seconds before the end, then a column each; empty where nothing was
/// measured. The same in every locale.
std::string csvOf(const ChartContent& content);

// What the charts of a run show.
ChartContent throughputOf(const LiveRun& run);
ChartContent queueFillOf(const LiveRun& run);
ChartContent memoryOf(const LiveRun& run);
ChartContent coresUsedOf(const LiveRun& run);
ChartContent gpuBusyOf(const LiveRun& run);

}  // namespace millrace
