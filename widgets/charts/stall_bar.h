// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QAction>
#include <QWidget>

#include "core/analysis/differential.h"
#include "core/spec/node_spec.h"
#include "widgets/charts/view_export.h"

namespace millrace {

/// The parts of a batch's time, as one stacked bar with a legend below. GUI thread.
class StallBar : public QWidget {
  Q_OBJECT
 public:
  explicit StallBar(QWidget* parent = nullptr);

  void show(const StallSplit& split);
  struct Part {
    QString name;
    Category category = Category::Source;  ///< selects the colour
    std::optional<double> seconds;         ///< nullopt: see `why`
    QString why;
  };
  const QList<Part>& parts() const { return m_parts; }
  QAction* exportAction() const { return m_export; }
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {180, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewExport description() const;
  void paint(QPainter& painter) const;
  double share(const Part& part) const;

  double m_batchSeconds = 0;
  QList<Part> m_parts;
  QAction* m_export;
};

}  // namespace millrace
