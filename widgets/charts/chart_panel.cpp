// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart_panel.h"

#include <cmath>

#include <QContextMenuEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "widgets/charts/chart_link.h"
#include "widgets/charts/time_chart.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kFirstRange = 10;  ///< s, the range action's initial range

constexpr double kLeastDrawStep = 0.35;   ///< s, between two drawings while a run goes on
constexpr double kLeastFooterStep = 0.9;  ///< s, between two layouts of the figures below

/// More than three digits would not be significant.
QString figure(double value) {
  constexpr double kRounding = 1e-9;  // of means of equal values
  if (std::abs(value) < kRounding) return shownNumber(0.0);
  if (std::abs(value) >= 100) return shownNumber(std::round(value));
  return shownNumber(QString::number(value, 'g', 3).toDouble());
}

}  // namespace

QString summaryText(const SeriesSummary& summary, const QString& unit, const QString& name) {
  const auto word = [](const char* what, const std::optional<double>& value) {
    const QString text = value ? figure(*value) : QString("–");
    return QString("%2· %1%2%3").arg(what, kNoBreak, text);
  };
  const bool isNamed = !name.isEmpty() && summary.mean;
  QString words;
  if (isNamed)
    words = QString("<b>%1</b>%2%3").arg(shownRate(*summary.mean), kNoBreak, unit.toHtmlEscaped());
  if (summary.count == 0) return words;
  if (isNamed) words += " · " + name + ": ";
  words += QString("n%1%2").arg(kNoBreak).arg(summary.count);
  if (!isNamed) words += word("mean", summary.mean);
  words += QString("%1· median%1<b>%2</b>").arg(kNoBreak).arg(figure(*summary.median));
  // A percentile of fewer windows would just be one of them (docs/reference/figures.md).
  constexpr std::size_t kLeastForPercentile = 5;
  words += word("p95", summary.count < kLeastForPercentile ? std::nullopt : summary.p95);
  words += word("σ", summary.deviation);
  return isNamed ? words : words + kNoBreak + unit.toHtmlEscaped();
}

ChartPanel::ChartPanel(const QString& title, Describe describe, ChartLink& link, QWidget* parent)
    : RunView(parent),
      m_title(title),
      m_describe(std::move(describe)),
      m_link(link),
      m_chart(new TimeChart(link, this)),
      m_footer(new QLabel(this)) {
  setProperty("plot", true);
  setAttribute(Qt::WA_StyledBackground);
  m_footer->setProperty("role", "second");
  m_footer->setWordWrap(true);
  m_footer->setContentsMargins(12, 0, 12, 8);
  // Two lines always have room, so that the dock does not change its height with the words.
  m_footer->setMinimumHeight(2 * m_footer->fontMetrics().lineSpacing() + 8);
  m_chart->setAccessibleName(title);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_chart, 1);
  column->addWidget(m_footer);
  buildActions();
  connect(&link, &ChartLink::rangeChanged, this,
          [this] { m_range->setChecked(m_link.range().has_value()); });
}

void ChartPanel::buildActions() {
  m_freeze = new QAction(icon("freeze"), "Freeze", this);
  m_freeze->setCheckable(true);
  m_freeze->setToolTip("Freeze this chart; recording goes on");
  connect(m_freeze, &QAction::toggled, this, [this](bool frozen) {
    if (!frozen) emit shownAgain();
  });
  m_range = new QAction(icon("range"), "Range", this);
  m_range->setCheckable(true);
  m_range->setToolTip(
      "Show the figures of a range in every view: drag in the chart, or click here for the "
      "last 10 s");
  m_export = new QAction(icon("export"), "Export chart…", this);
  m_export->setToolTip("Save as PNG, SVG or CSV");
  connect(m_range, &QAction::triggered, this, [this](bool on) {
    const double now = m_chart->content().now;
    m_link.setRange(on ? std::optional(TimeSpan{now - kFirstRange, now}) : std::nullopt);
  });
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
  addActions({m_freeze, m_range, m_export});
  m_zoomToRange = new QAction("&Zoom to the range", this);
  connect(m_zoomToRange, &QAction::triggered, this, [this] { m_link.setZoom(m_link.range()); });
  m_showAll = new QAction("&Show everything (double click)", this);
  connect(m_showAll, &QAction::triggered, m_chart, &TimeChart::reset);
  m_smooth = new QAction(
      QString("S&mooth lines (mean of %1%2s)").arg(ChartLink::kSmoothSeconds).arg(kNoBreak), this);
  m_smooth->setCheckable(true);
  m_smooth->setChecked(m_link.isSmooth());
  connect(m_smooth, &QAction::toggled, &m_link, &ChartLink::setSmooth);
  connect(&m_link, &ChartLink::smoothChanged, this, [this] {
    m_smooth->setChecked(m_link.isSmooth());
    drawContent();
  });
}

/// A minute spread over some hundred pixels moves less than a pixel a tick, and drawing is the
/// largest cost of watching a run.
bool ChartPanel::isBehind(const LiveRun& run) const {
  if (isFrozen()) return false;
  const double since = run.now() - m_chart->content().now;
  const bool isDrawn = !m_chart->isHidden() && m_chart->content().hasValues();
  return !isDrawn || run.isOver() || since < 0 || since >= kLeastDrawStep;
}

void ChartPanel::refresh(const LiveRun& run, const std::optional<TimeSpan>& range) {
  if (!isVisible()) return;
  const bool draws = isBehind(run);
  if (draws) showContent(m_describe(run));
  const double old = run.now() - m_footerAt;
  const bool isBare = !m_chart->content().hasValues();
  const bool isOld = draws && (isBare || run.isOver() || old < 0 || old >= kLeastFooterStep);
  if (!isOld && range == m_of) return;
  m_of = range;
  refreshFooter(run);
}

void ChartPanel::forget() {
  m_freeze->setChecked(false);
  m_of.reset();
  showContent(m_describe({}));
  refreshFooter({});
}

void ChartPanel::showContent(const ChartContent& content) {
  const bool isBare = !content.hasValues();
  m_chart->setVisible(!isBare);
  m_footer->setAlignment(isBare ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
  m_content = content;
  drawContent();
}

void ChartPanel::drawContent() {
  m_chart->show(m_link.isSmooth() ? smoothed(m_content, ChartLink::kSmoothSeconds) : m_content);
}

QString ChartPanel::footer() const { return m_footer->text(); }

QString ChartPanel::rangeText() const {
  if (!m_of) return {};
  return QString("<b>%1%2s</b> · ")
      .arg(shownNumber(std::round((m_of->to - m_of->from) * 10) / 10), kNoBreak);
}

void ChartPanel::refreshFooter(const LiveRun& run) {
  const ChartContent& content = m_chart->content();
  m_footerAt = content.now;
  if (!content.hasValues()) return m_footer->setText(content.empty);
  const TimeSpan span = m_of.value_or(content.whole());
  SeriesSummary summary = content.summarised.summary(span.from, span.to, content.warmups);
  const bool isKnown = (m_of || content.over) && content.meanOf;
  const std::optional<double> mean = isKnown ? content.meanOf(run, m_of) : std::nullopt;
  if (mean) summary.mean = mean;
  QString text = summaryText(summary, content.unit, mean ? content.pointsName : QString());
  if (text.isEmpty())
    text = m_of ? "Nothing was measured in this range." : "Not measured yet.";
  else if (!content.summarisedName.isEmpty())
    text.prepend(content.summarisedName + ": ");
  m_footer->setText(rangeText() + text);
}

void ChartPanel::contextMenuEvent(QContextMenuEvent* event) {
  m_zoomToRange->setEnabled(m_link.range().has_value());
  m_showAll->setEnabled(m_link.range() || m_link.zoom());
  popUpViewMenu(this, event->globalPos(), description(), {m_zoomToRange, m_showAll, m_smooth});
}

ViewExport ChartPanel::description() const {
  const QRect room = m_chart->viewport()->rect();
  ViewExport view;
  view.title = m_title;
  view.size = room.size();
  view.paint = [this, room](QPainter& painter) { m_chart->render(&painter, QRectF(room), room); };
  view.csv = [this] { return csvOf(m_chart->content()); };
  return view;
}

Status ChartPanel::exportTo(const QString& file) const { return exportView(description(), file); }

}  // namespace millrace
