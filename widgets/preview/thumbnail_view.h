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
  MaskPlace maskPlace() const { return m_maskPlace; }
  void setMaskPlace(MaskPlace place);
  /// The text shown while there are no samples.
  void setEmptyText(const QString& text);
  const QString& emptyText() const { return m_emptyText; }
  /// Size of one cell, as the samples need it.
  QSize cellSize() const;

 signals:
  void opened(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void fitCells();

  ThumbnailModel* m_thumbnails = nullptr;
  MaskPlace m_maskPlace = MaskPlace::Over;
  QString m_emptyText;
};

}  // namespace millrace
