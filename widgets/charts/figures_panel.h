// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/charts/painted_view.h"

namespace millrace {

/// The six figures of a run: of its measured span so far while it runs, then of its result, or of
/// the range that the user dragged. An unknown figure is a dash. GUI thread.
class FiguresPanel : public PaintedView {
  Q_OBJECT
 public:
  explicit FiguresPanel(QWidget* parent = nullptr);

  struct Figure {
    QString value;
    QString caption;
    QString metric;                ///< id of its description, for the tooltip
    std::optional<double> number;  ///< in the metric's unit
    bool operator==(const Figure&) const = default;
  };

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  const std::vector<Figure>& figures() const { return m_figures; }
  /// The span that the figures are of, if it is not the whole run, or which repeats do not count.
  const QString& note() const { return m_note; }
  /// The note, elided only where its lines do not fit below the figures.
  QString shownNote() const;
  TextTable table() const override;
  /// "Figures of run 42", for the dock's title.
  const QString& heading() const { return m_heading; }
  QSize sizeHint() const override { return {280, 170}; }
  QSize minimumSizeHint() const override { return {200, 150}; }

 signals:
  void headingChanged(const QString& heading);

 protected:
  void paint(QPainter& painter) const override;
  bool event(QEvent* event) override;

 private:
  QRect cell(std::size_t i) const;
  int noteHeight() const;
  QRect noteBox() const;
  void showHeading(const QString& heading);

  std::vector<Figure> m_figures;
  QString m_heading = "Figures";
  QString m_note;
};

}  // namespace millrace
