// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compare_view.h"
#include "widgets/compare/plot_frame.h"

namespace millrace {

/// Samples per second over the time of a repeat: at each second the repeats' median, minimum and
/// maximum. Value.
struct RunLine {
  RunNumber run{};
  struct Point {
    double seconds = 0;
    double low = 0;
    double median = 0;
    double high = 0;
  };
  std::vector<Point> points;
};

/// Made from the windows of a run's repeats; time counts from a repeat's first window.
RunLine lineOf(const ComparedRun& run);

/// Throughput of the compared runs over the time of a repeat. GUI thread.
class LineView : public ChosenRunsView {
  Q_OBJECT
 public:
  explicit LineView(CompareSet& set, QWidget* parent = nullptr);

  const std::vector<RunLine>& lines() const { return m_lines; }
  std::string csv() const override;

 protected:
  void forget() override { m_lines.clear(); }
  void read(const ComparedRun& run) override { m_lines.push_back(lineOf(run)); }
  bool hasAnything() const override;
  void paintPlot(QPainter& painter) override;
  std::optional<RunNumber> runAt(QPointF at) const override;

 private:
  PlotFrame frame() const;
  void paintLine(QPainter& painter, const PlotFrame& frame, const RunLine& line) const;
  void paintNames(QPainter& painter, const PlotFrame& frame) const;

  std::vector<RunLine> m_lines;
};

}  // namespace millrace
