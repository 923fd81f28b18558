// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/run_view.h"

namespace millrace {

/// The progress of a run: one bar for each repeat with its warm-up in grey, and the time left.
/// GUI thread.
class RunStrip : public RunView {
  Q_OBJECT
 public:
  explicit RunStrip(QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  QSize sizeHint() const override { return {600, 44}; }
  QSize minimumSizeHint() const override { return {200, 44}; }
  /// "Run 42 of cats", "repeat 2 of 3, measuring 3 of 5 s", "14 s left".
  const QString& label() const { return m_label; }
  const QString& words() const { return m_words; }
  const QString& left() const { return m_left; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintBars(QPainter& painter, const QRectF& box) const;

  QString m_label;
  QString m_words;
  QString m_left;
  bool m_over = false;
  std::vector<RepeatProgress> m_repeats;
};

/// "1 min 24 s left".
QString timeLeftText(double seconds);

}  // namespace millrace
