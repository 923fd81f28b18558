// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QStringList>
#include <QWidget>

#include "widgets/models/live/gpu_rows.h"

namespace millrace {

/// The rows of a GPU: a bar if the figure has a maximum, otherwise text. GUI thread.
class GpuMeters : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  void show(const QString& title, std::vector<GpuRow> rows);
  const std::vector<GpuRow>& rows() const { return m_rows; }
  const QString& title() const { return m_title; }
  QSize minimumSizeHint() const override { return {200, 120}; }

  /// Paints everything, on a painter in the widget's coordinates.
  void paint(QPainter& painter) const;
  /// Labels of the rows whose text has too little room.
  QStringList cutRows() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double rowHeight() const;
  QRectF rowAt(std::size_t i) const;
  double labelWidth() const;
  QRectF textRect(const GpuRow& row, const QRectF& at) const;
  void paintRow(QPainter& painter, const GpuRow& row, const QRectF& at) const;

  QString m_title;
  std::vector<GpuRow> m_rows;
};

}  // namespace millrace
