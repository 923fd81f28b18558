// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/charts/painted_view.h"

namespace millrace {

/// The load of each core from all programs, and a sentence about it. GUI thread.
class CorePanel : public PaintedView {
  Q_OBJECT
 public:
  explicit CorePanel(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  QSize sizeHint() const override { return {220, 230}; }
  QSize minimumSizeHint() const override { return {140, 100}; }
  const QString& words() const { return m_words; }
  TextTable table() const override;

 protected:
  void paint(QPainter& painter) const override;

 private:
  std::vector<double> m_shares;
  QString m_words;
};

/// "29 % of 8 cores. 2 are full, 6 are idle: there is room for more workers." `others`: the share
/// of the cores that other programs took, by the run's result. The text mentions it if it is more
/// than a verdict allows (docs/reference/verdict.md).
QString loadText(const std::vector<double>& coreShares, const std::optional<double>& others);

}  // namespace millrace
