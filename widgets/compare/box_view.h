// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compare_view.h"
#include "widgets/compare/plot_frame.h"

namespace millrace {

/// The repeats of a run: quartiles, minimum and maximum. Value.
struct RunBox {
  RunNumber run{};
  std::vector<double> rates;  ///< rates of the finished repeats, ascending
  double quarter = 0;
  double median = 0;
  double threeQuarters = 0;
};
/// nullopt for a run without a finished repeat.
std::optional<RunBox> boxOf(const ComparedRun& run);

/// The repeats of the compared runs side by side. Every repeat is also a point, because a box of
/// only three repeats would hide more than it shows. GUI thread.
class BoxView : public ChosenRunsView {
  Q_OBJECT
 public:
  explicit BoxView(CompareSet& set, QWidget* parent = nullptr);

  const std::vector<RunBox>& boxes() const { return m_boxes; }
  std::string csv() const override;

 protected:
  void forget() override { m_boxes.clear(); }
  void read(const ComparedRun& run) override;
  bool hasAnything() const override { return !m_boxes.empty(); }
  void paintPlot(QPainter& painter) override;
  std::optional<RunNumber> runAt(QPointF at) const override;

 private:
  PlotFrame frame() const;
  double middleOf(const PlotFrame& frame, std::size_t box) const;
  void paintBox(QPainter& painter, const PlotFrame& frame, std::size_t i) const;

  std::vector<RunBox> m_boxes;
};

}  // namespace millrace
