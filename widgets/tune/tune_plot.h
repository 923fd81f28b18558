// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QAction>
#include <QPolygonF>
#include <QWidget>

#include "widgets/charts/view_export.h"
#include "widgets/compare/plot_frame.h"

namespace millrace {

class LiveTune;

/// The tuning's goal figure of each tried setting against its memory or cores, with the Pareto
/// front. A click or the arrow keys select a setting; a double click or Enter uses it. GUI thread.
class TunePlot : public QWidget {
  Q_OBJECT
 public:
  enum class Cost { Memory, Cores };

  /// `tune` must outlive the plot.
  explicit TunePlot(const LiveTune& tune, QWidget* parent = nullptr);

  void setCost(Cost cost);
  Cost cost() const { return m_cost; }
  /// The tuning has changed.
  void refresh();
  void setChosen(std::optional<std::size_t> trial);
  std::optional<std::size_t> chosen() const { return m_chosen; }
  /// The drawn settings, from left to right.
  std::vector<std::size_t> shown() const;
  /// The setting nearest to a point of the widget, and the place of a drawn setting.
  std::optional<std::size_t> trialAt(QPointF at) const;
  QPointF placeOf(std::size_t trial) const;
  /// The box of the name of the best setting and of the unmodified pipeline; null for the others.
  QRectF nameBoxOf(std::size_t trial) const;
  /// The area between the axes.
  QRectF area() const { return frame().area; }

  QAction* exportAction() const { return m_export; }
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;
  /// One line for each setting.
  TextTable table() const;

  QSize sizeHint() const override { return {560, 360}; }
  QSize minimumSizeHint() const override { return {240, 160}; }

 signals:
  void trialChosen(std::size_t trial);
  void trialTaken(std::size_t trial);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  ViewExport description() const;
  void paint(QPainter& painter) const;
  void paintEmpty(QPainter& painter) const;
  void paintFront(QPainter& painter, const PlotFrame& frame) const;
  void paintTrial(QPainter& painter, std::size_t trial) const;
  void paintName(QPainter& painter, std::size_t trial) const;
  QPolygonF frontLine(const PlotFrame& frame) const;
  /// "best"; empty for most.
  QString shownName(std::size_t trial) const;
  PlotFrame frame() const;
  std::optional<double> costOf(std::size_t trial) const;
  /// The goal's figure; samples/s if the engine does not report it.
  std::optional<double> figureOf(std::size_t trial) const;
  bool lessIsBetter() const;
  bool isOnFront(std::size_t trial) const;
  QString tipOf(std::size_t trial) const;
  void choose(std::size_t trial);
  void walk(int step);

  const LiveTune& m_tune;
  QAction* m_export;
  Cost m_cost = Cost::Memory;
  std::optional<std::size_t> m_chosen;
};

}  // namespace millrace
