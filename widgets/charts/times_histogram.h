// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/metrics/histogram.h"

namespace millrace {

/// How many samples took how long, on a logarithmic axis of time, with marks at the median and at
/// the 95th percentile. GUI thread.
class TimesHistogram : public QWidget {
  Q_OBJECT
 public:
  explicit TimesHistogram(QWidget* parent = nullptr);

  void show(const Histogram& times);
  const Histogram& times() const { return m_times; }
  QSize sizeHint() const override { return {260, 110}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF plot() const;
  double xOf(double ns) const;

  Histogram m_times;
  std::size_t m_first = 0;
  std::size_t m_last = 0;
};

}  // namespace millrace
