// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QAction>

#include "core/base/result.h"
#include "widgets/charts/chart_content.h"
#include "widgets/charts/run_view.h"
#include "widgets/charts/view_export.h"

class QLabel;

namespace millrace {

class ChartLink;
class TimeChart;

/// A chart of a run with its figures: freeze while recording goes on; a range for n, mean, median,
/// p95 and σ; the shared cross-hair and zoom; copying and export. Without values it shows a
/// sentence. Only this class and TimeChart know Qt Charts. A hidden panel receives no data. Its
/// actions belong in the title of the dock that holds it.
class ChartPanel : public RunView {
  Q_OBJECT
 public:
  using Describe = std::function<ChartContent(const LiveRun&)>;

  ChartPanel(const QString& title, Describe describe, ChartLink& link, QWidget* parent = nullptr);

  /// Does nothing while the panel is hidden or frozen.
  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  void forget() override;
  bool isFrozen() const { return m_freeze->isChecked(); }
  QAction* freezeAction() const { return m_freeze; }
  QAction* rangeAction() const { return m_range; }
  QAction* exportAction() const { return m_export; }
  TimeChart& chart() const { return *m_chart; }
  QString footer() const;
  /// Draws moving averages in all charts of the link.
  QAction* smoothAction() const { return m_smooth; }

  /// The file's suffix selects png, svg or csv; others are refused. If writing fails, the old file
  /// stays intact.
  Status exportTo(const QString& file) const;
  ViewExport description() const;

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void buildActions();
  /// Whether the chart shows less than this run has by now.
  bool isBehind(const LiveRun& run) const;
  void refreshFooter(const LiveRun& run);
  QString rangeText() const;
  /// Shows a sentence instead of empty axes if there are no values.
  void showContent(const ChartContent& content);
  void drawContent();

  QString m_title;
  Describe m_describe;
  ChartLink& m_link;
  std::optional<TimeSpan> m_of;  ///< the range of the figures below the chart
  double m_footerAt = 0;         ///< their run time
  TimeChart* m_chart;
  QLabel* m_footer;
  QAction* m_freeze;
  QAction* m_range;
  QAction* m_export;
  QAction* m_zoomToRange;
  QAction* m_showAll;
  QAction* m_smooth;
  ChartContent m_content;  ///< as measured
};

/// "n 31 · mean 803 · median 804 · p95 817 · σ 9 samples/s", as rich text. If the values have a
/// name: "803 samples/s · 1 s windows: n 31 · median 804 · p95 817 · σ 9".
QString summaryText(const SeriesSummary& summary, const QString& unit, const QString& name = {});

}  // namespace millrace
