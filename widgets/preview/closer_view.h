// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "widgets/preview/thumbnail_painter.h"

class QLabel;

namespace millrace {

/// One sample in a large size, with the content of its fields. Arrow keys ask for its neighbours.
/// GUI thread.
class CloserView : public QDialog {
  Q_OBJECT
 public:
  explicit CloserView(QWidget* parent = nullptr);

  void showSample(const ShownSample& sample, MaskPlace mask);
  const ShownSample& sample() const { return m_sample; }

 signals:
  /// -1: the previous sample, 1: the next.
  void stepped(int by);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  ShownSample m_sample;
  QWidget* m_picture;
  QLabel* m_name;
  QLabel* m_facts;
};

}  // namespace millrace
