// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/gpu/gpu_values.h"
#include "widgets/charts/painted_view.h"

class QLabel;
class QStackedLayout;

namespace millrace {

class GpuMeters;

/// The GPU during a run, as reported in the engine's events, so that a run on another machine shows
/// that machine's GPU. Without a GPU the panel reports that and lists what would appear: never 0 %,
/// never an empty axis. GUI thread.
class GpuPanel : public PaintedView {
  Q_OBJECT
 public:
  /// `gpu`: the name of this machine's GPU; empty if there is none.
  explicit GpuPanel(const QString& gpu, QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  /// One row for each figure that the device reports, named by its description's id.
  TextTable table() const override;
  QString words() const;
  const GpuMeters& meters() const { return *m_meters; }
  /// Whether figures are shown, rather than the reason why there are none.
  bool hasFigures() const;

 signals:
  /// The user asks why there is no GPU.
  void gpuHelpRequested();

 protected:
  void paint(QPainter& painter) const override;
  /// Does not paint: the pages paint themselves.
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
