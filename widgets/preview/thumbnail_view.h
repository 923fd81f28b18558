// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>

#include "widgets/preview/thumbnail_painter.h"

namespace millrace {

class ThumbnailModel;

/// The samples as thumbnails with captions, in rows. Arrow keys move, Enter or a click opens one.
/// GUI thread.
class ThumbnailView : public QListView {
  Q_OBJECT
 public:
  explicit ThumbnailView(QWidget* parent = nullptr);

  void setThumbnails(ThumbnailModel* model);
  const MaskStyle& mask() const { return m_mask; }
  void setMask(const MaskStyle& mask);
  static constexpr int kLeastSide = 40;
  static constexpr int kUsualSide = 52;
  static constexpr int kMostSide = 320;
  /// The side of a picture.
  int side() const { return m_side; }
  void setSide(int side);
  /// The text shown while there are no samples.
  void setEmptyText(const QString& text);
  const QString& emptyText() const { return m_emptyText; }
  /// Size of one cell, as the samples need it.
  QSize cellSize() const;

 signals:
  void opened(int row);
  void sideChanged(int side);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void fitCells();

  ThumbnailModel* m_thumbnails = nullptr;
  MaskStyle m_mask;
  int m_side = kUsualSide;
  QString m_emptyText;
};

}  // namespace millrace
