// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "core/graph/graph.h"

namespace millrace {

/// A pipeline as a row of its nodes' marks, wrapped if there is too little room. What runs on the
/// threads of a region is framed, as on the canvas. GUI thread.
class ChainStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ChainStrip(QWidget* parent = nullptr);
  void show(const Graph& graph, const Catalog& catalog);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {320, heightForWidth(320)}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Mark {
    QString icon;
    Category category = Category::Tensor;
  };
  struct Region {
    std::size_t begin = 0;  ///< marks
    std::size_t end = 0;
    QString threads;
  };
  void paintRegion(QPainter& painter, const Region& region, int across, int step) const;
  /// The least number of rows for this width; all rows have about as many marks.
  int rowsAt(int width) const;
  std::vector<Mark> m_marks;
  std::vector<Region> m_regions;
};

}  // namespace millrace
