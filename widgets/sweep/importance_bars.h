// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "widgets/charts/view_export.h"

namespace millrace {

class LiveSweep;

/// How much of the differences between the settings each parameter makes by itself, as bars. GUI
/// thread.
class ImportanceBars : public QWidget {
  Q_OBJECT
 public:
  /// `sweep` outlives the bars.
  explicit ImportanceBars(const LiveSweep& sweep, QWidget* parent = nullptr);

  struct Bar {
    QString name;
    double share = 0;
  };
  const QList<Bar>& bars() const { return m_bars; }
  /// Why there are none yet; empty: there are.
  const QString& missing() const { return m_missing; }
  void refresh();
  QAction* exportAction() const { return m_export; }
  /// As png, svg, csv or json, by the file's suffix.
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
