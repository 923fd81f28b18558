// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compare_view.h"
#include "widgets/compare/plot_frame.h"

namespace millrace {

/// Cost per sample against throughput for all runs of the list, with the Pareto-optimal runs joined
/// by a line. A click selects a run, a frame all runs inside it. GUI thread.
class ScatterView : public CompareView {
  Q_OBJECT
 public:
  explicit ScatterView(CompareSet& set, QWidget* parent = nullptr);

  const std::vector<std::size_t>& front() const { return m_front; }
  /// The position of a run's point; nullopt if it has none.
  std::optional<QPointF> placeOf(RunNumber run) const;
  std::string csv() const override;
  QString emptyReason() const override;

 protected:
  void paintPlot(QPainter& painter) override;
  std::optional<RunNumber> runAt(QPointF at) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  PlotFrame frame() const;
  void paintPoint(QPainter& painter, const CloudRun& run, QPointF at) const;
  void paintName(QPainter& painter, const CloudRun& run, QPointF at,
                 std::vector<QRectF>& taken) const;
  bool hasPoint(const CloudRun& run) const { return run.rate && run.cost; }

  std::vector<std::size_t> m_front;
  std::optional<QPointF> m_pressed;
  QRectF m_band;
};

}  // namespace millrace
