// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_content.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// `subject`: what the chart shows, at the beginning of a sentence.
ChartContent contentOf(const LiveRun& run, const QString& unit, const QString& subject) {
  ChartContent content;
  content.now = run.now();
  content.over = run.isOver();
  content.began = run.began();
  content.unit = unit;
  content.warmups = run.warmups();
  for (std::size_t i = 1; i < run.begins().size(); ++i)
    content.marks.push_back({run.begins()[i], QString("repeat %1").arg(i + 1)});
  content.empty = subject + QString(run.isOver() ? " was not measured in this run."
                                                 : " appears here during a run.");
  return content;
}

struct FlowLine {
  QString name;
  int colour = 0;
  bool dashed = false;
  Flow flow{};
};

using SpanMean = std::function<std::optional<double>(const LiveSpan&)>;

/// `mean`: of a span with running time.
void setMean(ChartContent& content, SpanMean mean) {
  content.meanOf = [mean = std::move(mean)](const LiveRun& run, const auto& range) {
    const LiveSpan span = run.of(range);
    return span.seconds > 0 ? mean(span) : std::nullopt;
  };
}

/// The first line that has values is summarised.
ChartContent trafficOf(const LiveRun& run, const QString& subject,
                       const std::vector<FlowLine>& lines) {
  ChartContent content = contentOf(run, "MB/s", subject);
  content.leastTop = 1;
  for (const FlowLine& line : lines) {
    const TimeSeries& values = run.flow(line.flow);
    if (values.points().empty()) continue;
    if (content.lines.empty()) {
      content.summarised = values;
      content.summarisedName = line.name;
      setMean(content, [flow = line.flow](const LiveSpan& span) -> std::optional<double> {
        const auto& rate = span.bytesPerSecond[flow];
        return rate ? std::optional(*rate * 1e-6) : std::nullopt;
      });
    }
    content.lines.push_back({line.name, line.colour, 2, line.dashed, false, values});
  }
  constexpr double kSoon = 2;  ///< s, after which missing values will not come
  if (!run.isOver() && run.now() - run.began() > kSoon)
    content.empty = subject + " is not counted on this machine.";
  return content;
}

std::string csvWord(const QString& text) {
  QString word = text;
  if (word.contains(',') || word.contains('"') || word.contains('\n'))
    word = '"' + word.replace("\"", "\"\"") + '"';
  return fromQt(word);
}

}  // namespace

bool ChartContent::hasValues() const {
  return std::ranges::any_of(lines,
                             [](const ChartLine& line) { return !line.values.points().empty(); });
}

ChartContent smoothed(ChartContent content, double seconds) {
  constexpr int kMeanColour = 2;  // of a grey line; 0 and 1 are those of other lines
  const bool isOnly = std::ranges::count(content.lines, false, &ChartLine::isSummary) == 1;
  std::vector<ChartLine> lines;
  for (ChartLine& line : content.lines) {
    if (line.isSummary) {
      lines.push_back(std::move(line));
      continue;
    }
    ChartLine mean = line;
    const QString what = QString("%1%2s mean").arg(seconds).arg(kNoBreak);
    mean.name = isOnly ? what : line.name + ", " + what;
    mean.values = line.values.smoothed(seconds);
    if (std::exchange(mean.quiet, false)) mean.colour = kMeanColour;
    mean.width = std::max(line.width, 2.0);
    line.width = 1;
    line.quiet = true;
    lines.push_back(std::move(line));
    lines.push_back(std::move(mean));
  }
  content.lines = std::move(lines);
  return content;
}

std::string csvOf(const ChartContent& content) {
  std::map<double, std::vector<double>> rows;
  for (std::size_t i = 0; i < content.lines.size(); ++i)
    for (const TimeSeries::Point& point : content.lines[i].values.points()) {
      std::vector<double>& row = rows[point.time - content.now];
      row.resize(content.lines.size(), std::nan(""));
      row[i] = point.value;
    }
  std::string csv = "seconds";
  for (const ChartLine& line : content.lines)
    csv += ',' + csvWord(line.name + (content.unit.isEmpty() ? "" : " (" + content.unit + ")"));
  csv += '\n';
  for (const auto& [time, values] : rows) {
    csv += fmt::format("{:.3f}", time);
    for (const double value : values)
      csv += std::isnan(value) ? "," : fmt::format(",{:.6g}", value);
    csv += '\n';
  }
  return csv;
}

ChartContent throughputOf(const LiveRun& run) {
  ChartContent content = contentOf(run, "samples/s", "The rate");
  content.lines.push_back({"1 s windows", 0, 1, false, true, run.windowRates()});
  content.lines.push_back({"median so far", 0, 3, false, false, run.median(), true});
  content.bandName = "repeats' range";
  content.bandLow = run.bandLow();
  content.bandHigh = run.bandHigh();
  content.summarised = run.measuredRates();
  content.pointsName = QString("1%1s windows").arg(kNoBreak);
  setMean(content, [](const LiveSpan& span) { return span.samplesPerSecond(); });
  return content;
}

ChartContent queueFillOf(const LiveRun& run) {
  ChartContent content = contentOf(run, "%", "The fill of the queues");
  content.top = 100;
  if (!run.plan()) return content;
  const auto& queues = run.plan()->queues;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    // The last queue is the one after the region: only it is dashed (docs/look.md).
    const bool last = i + 1 == queues.size();
    content.lines.push_back({"after " + run.titleOf(queues[i].id), last ? 1 : static_cast<int>(i),
                             2, last && queues.size() > 1, false, run.queueFill()[i]});
  }
  if (!queues.empty()) {
    content.summarised = content.lines.back().values;
    setMean(content, [queue = queues.back()](const LiveSpan& span) -> std::optional<double> {
      const LiveSpan::Queue* found = span.queue(queue.id);
      if (found == nullptr) return std::nullopt;
      return 100 * found->meanFill /
             static_cast<double>(std::max<std::uint64_t>(1, queue.capacity));
    });
  }
  if (queues.empty()) content.empty = "This pipeline has no queue of finished batches.";
  return content;
}

ChartContent memoryOf(const LiveRun& run) {
  ChartContent content = contentOf(run, "MB", "The engine's memory");
  content.lines.push_back({"held by the engine", 0, 2, false, false, run.memory()});
  content.summarised = run.memory();
  return content;
}

ChartContent coresUsedOf(const LiveRun& run) {
  ChartContent content = contentOf(run, "cores", "The engine's use of the cores");
  content.lines.push_back({"used by the engine", 0, 2, false, false, run.coresUsed()});
  content.summarised = run.coresUsed();
  setMean(content, [](const LiveSpan& span) { return span.cpuSeconds / span.seconds; });
  return content;
}

ChartContent diskOf(const LiveRun& run) {
  return trafficOf(run, "Disk traffic",
                   {{"read", 0, false, Flow::DiskRead},
                    {"written", 1, false, Flow::DiskWritten},
                    {"read by the engine", 2, true, Flow::ProcessRead}});
}

ChartContent networkOf(const LiveRun& run) {
  return trafficOf(
      run, "Network traffic",
      {{"received", 0, false, Flow::NetworkReceived}, {"sent", 1, false, Flow::NetworkSent}});
}

ChartContent gpuBusyOf(const LiveRun& run) {
  ChartContent content = contentOf(run, "%", "The GPU's utilisation");
  content.top = 100;
  if (run.gpuBusy().points().empty()) {
    if (run.isOver()) content.empty = "The engine reported no GPU in this run.";
    return content;
  }
  content.lines.push_back({"busy", 0, 2, false, false, run.gpuBusy()});
  if (!run.gpuMemory().points().empty())
    content.lines.push_back({"memory", 1, 2, true, false, run.gpuMemory()});
  content.summarised = run.gpuBusy();
  content.meanOf = [](const LiveRun& of, const auto& range) -> std::optional<double> {
    const std::optional<GpuFigures> gpu = range ? of.gpuBetween(*range) : of.shownGpu();
    if (!gpu || !gpu->values.utilisation) return std::nullopt;
    return 100 * *gpu->values.utilisation;
  };
  return content;
}

}  // namespace millrace
