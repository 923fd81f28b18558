// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "core/metrics/histogram.h"

namespace millrace {

/// How many samples took how long, on a logarithmic axis of time, with marks at the median and at
/// the 95th percentile. GUI thread.
class TimesHistogram : public QWidget {
  Q_OBJECT
 public:
  explicit TimesHistogram(QWidget* parent = nullptr);

  /// `meanMs`: their exact mean; the marks are those of quantileMs.
  void show(const Histogram& times, double meanMs);
  const Histogram& times() const { return m_times; }
  /// "median 800 ms" and "p95 805 ms".
  QStringList marks() const;
  QSize sizeHint() const override { return {260, 110}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF plot() const;
  double xOf(double ns) const;
  double quantileNs(double p) const;

  Histogram m_times;
  double m_meanMs = 0;
  std::size_t m_first = 0;
  std::size_t m_last = 0;
};

}  // namespace millrace
