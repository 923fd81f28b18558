// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/charts/painted_view.h"
#include "widgets/common/round_axis.h"

namespace millrace {

/// The time of a sample by node: one stacked bar for each stage, one piece for each node in its
/// category's colour, in ms per sample summed over the stage's threads. The bar of the stage that
/// limits the run is marked. GUI thread.
class NodeTimePanel : public PaintedView {
  Q_OBJECT
 public:
  explicit NodeTimePanel(QWidget* parent = nullptr);

  /// What works in a stage, in singular and plural: "thread" and "threads" unless this is called.
  void setWorkers(const QString& one, const QString& many);
  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  QSize sizeHint() const override { return {300, 230}; }
  QSize minimumSizeHint() const override { return {180, 120}; }

  struct Piece {
    QString title;
    Category category = Category::Tensor;
    double ms = 0;
    bool operator==(const Piece&) const = default;
  };
  struct Bar {
    QString title;
    std::size_t threads = 1;
    std::vector<Piece> pieces;  ///< in the order of the chain
    bool limits = false;        ///< what limits the run is here
    bool keepsUp = false;       ///< and it is the training step: the loader keeps up
    double ms() const;
    /// The time that a sample takes of the threads; they work side by side.
    double msPerThread() const { return ms() / static_cast<double>(threads); }
    const Piece* longest() const;
    bool operator==(const Bar&) const = default;
  };
  const std::vector<Bar>& bars() const { return m_bars; }
  const QString& words() const { return m_words; }
  /// Milliseconds without their unit, which the panel's title names.
  static QString bareMs(double ms);
  /// Columns: stage, node, ms per sample.
  TextTable table() const override;

 protected:
  void paint(QPainter& painter) const override;
  bool event(QEvent* event) override;

 private:
  struct Geometry;
  Geometry geometry() const;
  void paintBar(QPainter& painter, const Bar& bar, const QRectF& box, double msPerPixel) const;

  std::vector<Bar> m_bars;
  QString m_words;
  QString m_worker = "thread";
  QString m_workers = "threads";
};

}  // namespace millrace
