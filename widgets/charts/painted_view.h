// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/charts/run_view.h"
#include "widgets/charts/view_export.h"

class QAction;

namespace millrace {

/// A view that paints itself. It can be frozen while recording goes on, and exported as a picture,
/// vector drawing or table. Its actions belong in the title of the dock that holds it. GUI thread.
class PaintedView : public RunView {
  Q_OBJECT
 public:
  PaintedView(const QString& title, QWidget* parent);

  void forget() override;
  bool isFrozen() const;
  QAction* freezeAction() const { return m_freeze; }
  QAction* exportAction() const { return m_export; }
  /// Its content as a table; figures are numbers.
  virtual TextTable table() const = 0;
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;

 protected:
  /// Paints everything, on a painter in the widget's coordinates.
  virtual void paint(QPainter& painter) const = 0;
  /// Whether it accepts new data: it is visible and not frozen.
  bool follows() const { return isVisible() && !isFrozen(); }
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewExport description() const;

  QString m_title;
  QAction* m_freeze;
  QAction* m_export;
};

}  // namespace millrace
