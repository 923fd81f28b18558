// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <QPoint>
#include <QRegularExpression>
#include <QString>
#include <QWidget>

#include "widgets/charts/chart_link.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/time_chart.h"

namespace millrace::tests {

/// The text without marks of HTML, with usual spaces.
inline QString plain(QString text) {
  static const QRegularExpression marks("<[^>]*>");
  return text.remove(marks).replace(QChar(0xA0), ' ');
}

/// A visible throughput chart.
struct ShownChart {
  explicit ShownChart(const LiveRun& run, ChartPanel::Describe describe = throughputOf)
      : panel("Throughput", std::move(describe), link) {
    QObject::connect(&link, &ChartLink::rangeChanged, &panel,
                     [this, &run] { panel.refresh(run, link.range()); });
    panel.resize(500, 260);
    panel.setVisible(true);
    panel.refresh(run, {});
  }
  TimeChart& chart() { return panel.chart(); }
  QWidget* surface() { return panel.chart().viewport(); }
  QPoint at(double secondsAgo) {
    const double now = panel.chart().content().now;
    return {static_cast<int>(panel.chart().xAt(now - secondsAgo)), 100};
  }

  ChartLink link;
  ChartPanel panel;
};

}  // namespace millrace::tests
