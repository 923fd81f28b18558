// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "widgets/preview/thumbnail_painter.h"

class QCheckBox;
class QLabel;
class QSlider;

namespace millrace {

class PictureCanvas;

/// One sample in a large size: zoom, the values of the pixel below the pointer, the classes of its
/// mask, and next to it the same sample before the node. Arrow keys ask for its neighbours. GUI
/// thread.
class CloserView : public QDialog {
  Q_OBJECT
 public:
  explicit CloserView(QWidget* parent = nullptr);

  /// `node`: the title of the node that the sample leaves.
  void showSample(const ShownSample& sample, const MaskStyle& mask, const QString& node);
  /// The same sample before the node; shown if the user wants it.
  void showBefore(const ShownSample& sample);
  const ShownSample& sample() const { return m_sample; }
  /// Whether there can be a sample before the node.
  void setHasBefore(bool has);
  bool wantsBefore() const;
  PictureCanvas& canvas() { return *m_canvas; }
  /// The line about the pixel below the pointer.
  QString pixelText() const;

 signals:
  /// -1: the previous sample, 1: the next.
  void stepped(int by);
  void beforeWanted();
  void maskChanged(const millrace::MaskStyle& mask);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QLayout* buildSide();
  void showPanes();
  void copy();

  ShownSample m_sample;
  std::optional<ShownSample> m_before;
  MaskStyle m_mask;
  QString m_node;
  PictureCanvas* m_canvas;
  QLabel* m_name;
  QLabel* m_facts;
  QLabel* m_pixel;
  QCheckBox* m_beforeBox;
  QLabel* m_opacityLabel;
  QSlider* m_opacity;
};

}  // namespace millrace
