// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/charts/run_view.h"
#include "widgets/charts/view_export.h"

class QAction;

namespace millrace {

/// A view that paints itself: frozen while recording goes on, exported as picture, drawing and
/// table. Its actions are meant for the title of the dock that holds it. GUI thread.
class PaintedView : public RunView {
  Q_OBJECT
 public:
  PaintedView(const QString& title, QWidget* parent);

  void forget() override;
  bool isFrozen() const;
  QAction* freezeAction() const { return m_freeze; }
  QAction* exportAction() const { return m_export; }
  /// What it shows: figures as numbers.
  virtual TextTable table() const = 0;
  /// As png, svg, csv or json, by the file's suffix.
  Status exportTo(const QString& file) const;

 protected:
  /// Everything, on a painter in the widget's coordinates.
  virtual void paint(QPainter& painter) const = 0;
  /// Whether it may take something new: it can be seen, and is not frozen.
  bool follows() const { return isVisible() && !isFrozen(); }
  void paintEvent(QPaintEvent* event) override;

 private:
  ViewExport description() const;

  QString m_title;
  QAction* m_freeze;
  QAction* m_export;
};

}  // namespace millrace
