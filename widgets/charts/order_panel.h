// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/shuffle_quality.h"
#include "widgets/charts/painted_view.h"

namespace millrace {

/// How well a run's first epoch was shuffled: a bar for each part of the epoch, with the class
/// entropy of its batches as a share of a full shuffle's, and the other figures in words. Empty
/// until the run has ended. GUI thread.
class OrderPanel : public PaintedView {
  Q_OBJECT
 public:
  explicit OrderPanel(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  QSize sizeHint() const override { return {320, 230}; }
  QSize minimumSizeHint() const override { return {180, 120}; }
  const QString& words() const { return m_words; }
  /// Shares of a full shuffle, from the epoch's beginning to its end. Empty if the classes are not
  /// known.
  const std::vector<double>& parts() const { return m_parts; }
  TextTable table() const override;

 protected:
  void paint(QPainter& painter) const override;

 private:
  void paintBars(QPainter& painter, const QRectF& area) const;

  std::vector<double> m_parts;
  std::vector<std::pair<QString, double>> m_figures;  ///< names and shares of a full shuffle
  QString m_words;
};

/// "A sample moves 4 % as far as in a full shuffle. ..."
QString shuffleText(const ShuffleQuality& order);

}  // namespace millrace
