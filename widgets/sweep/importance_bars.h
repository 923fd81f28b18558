// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "widgets/charts/view_export.h"

namespace millrace {

class LiveSweep;

/// Bars that show which share of the differences between the settings is due to each parameter
/// alone. GUI thread.
class ImportanceBars : public QWidget {
  Q_OBJECT
 public:
  /// `sweep` must outlive the bars.
  explicit ImportanceBars(const LiveSweep& sweep, QWidget* parent = nullptr);

  struct Bar {
    QString name;
    double share = 0;
  };
  const QList<Bar>& bars() const { return m_bars; }
  /// Why there are no bars yet; empty if there are.
  const QString& missing() const { return m_missing; }
  void refresh();
  QAction* exportAction() const { return m_export; }
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewExport description() const;
  void paint(QPainter& painter) const;

  const LiveSweep& m_sweep;
  QAction* m_export;
  QList<Bar> m_bars;
  QString m_missing;
};

}  // namespace millrace
