// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/gpu_values.h"
#include "widgets/charts/painted_view.h"

class QLabel;
class QStackedLayout;

namespace millrace {

class GpuMeters;

/// The GPU during a run, as the engine's events tell it, so that a run on another machine shows
/// that machine's; without one it says so, and what would appear: never 0 %, never an empty axis.
/// GUI thread.
class GpuPanel : public PaintedView {
  Q_OBJECT
 public:
  /// `gpu`: what this machine has; empty: none.
  explicit GpuPanel(const QString& gpu, QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  /// A line a figure that the device tells, by the id of its description.
  TextTable table() const override;
  QString words() const;
  const GpuMeters& meters() const { return *m_meters; }
  /// Whether figures are shown, and not why there are none.
  bool hasFigures() const;

 signals:
  /// A person asks what would have to be there.
  void missingAsked();

 protected:
  void paint(QPainter& painter) const override;
  /// The pages paint themselves.
  void paintEvent(QPaintEvent* event) override { QWidget::paintEvent(event); }

 private:
  QWidget* makeNone();
  void showPage(const std::optional<GpuFigures>& gpu);
  void showNone(const LiveRun& run);

  QString m_gpu;
  GpuFigures m_figures;
  QLabel* m_words;
  GpuMeters* m_meters;
  QStackedLayout* m_pages;
};

}  // namespace millrace
