// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QAction>
#include <QWidget>

#include "core/analyse/differential.h"
#include "core/spec/node_spec.h"
#include "widgets/charts/view_export.h"

namespace millrace {

/// What a batch's time goes to, as one stacked bar with its parts named below. GUI thread.
class StallBar : public QWidget {
  Q_OBJECT
 public:
  explicit StallBar(QWidget* parent = nullptr);

  void show(const StallSplit& split);
  struct Part {
    QString name;
    Category category = Category::Source;  ///< whose colour it has
    std::optional<double> seconds;         ///< absent: `why`
    QString why;
  };
  const QList<Part>& parts() const { return m_parts; }
  QAction* exportAction() const { return m_export; }
  /// As png, svg, csv or json, by the file's suffix.
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
