// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/node_time_panel.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/common/contrast.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kBarHeight = 22;
constexpr double kNodeRow = 34;
constexpr double kFooterHeight = 52;
constexpr double kTickRoom = 52;
constexpr double kWorthNaming = 0.005;  ///< ms
constexpr const char* kAllNodes = "All nodes";

/// A stage without a Workers node is named after its longest work: the node that gives the thread
/// its name does little or none, such as a Prefetch, or a consumer whose thread also makes the
/// batches.
QString titleOf(const LiveRun& run, const LiveLayout::Stage& stage, const NodeTimePanel::Bar& bar) {
  const std::vector<LiveLayout::Stage>& stages = run.layout().stages;
  if (stages.size() == 1 && bar.pieces.size() > 1) return kAllNodes;
  const std::vector<std::string>& queues = run.layout().queues;
  const bool isOther =
      stage.id == stages.back().id || std::ranges::find(queues, stage.id) != queues.end();
  const NodeTimePanel::Piece* longest = bar.longest();
  return isOther && longest != nullptr ? longest->title : run.titleOf(stage.id);
}

std::vector<NodeTimePanel::Bar> barsOf(const LiveRun& run, const LiveSpan& span) {
  std::vector<NodeTimePanel::Bar> bars;
  if (span.samples <= 0) return bars;
  const LiveFinding found = run.finding();
  for (const LiveLayout::Stage& stage : run.layout().stages) {
    NodeTimePanel::Bar bar{{}, stage.threads, {}};
    for (const std::string& id : stage.nodes) {
      const LiveSpan::Node* node = span.node(id);
      if (node == nullptr || !node->busySeconds) continue;
      bar.pieces.push_back(
          {run.titleOf(id), run.categoryOf(id), 1000 * *node->busySeconds / span.samples});
    }
    bar.title = titleOf(run, stage, bar);
    bar.limits = !found.stage.empty() && found.stage == stage.id;
    bar.keepsUp = bar.limits && run.keepsUp();
    bars.push_back(std::move(bar));
  }
  return bars;
}

QString valueOf(const NodeTimePanel::Bar& bar) {
  const QString value = NodeTimePanel::bareMs(bar.ms());
  return bar.limits ? value + kNoBreak + QString("limits") : value;
}

/// The time that the threads of the limiting bar have, and the time that they use; of the busiest
/// bar if the limit is not known. `one` and `many` are what works.
QString summaryOf(const std::vector<NodeTimePanel::Bar>& bars, double samplesPerSecond,
                  const QString& one, const QString& many) {
  using Bar = NodeTimePanel::Bar;
  if (bars.empty() || samplesPerSecond <= 0) return "Nothing was measured.";
  auto bar = std::ranges::find_if(bars, &Bar::limits);
  if (bar == bars.end()) bar = std::ranges::max_element(bars, {}, &Bar::msPerThread);
  const double given = 1000 * static_cast<double>(bar->threads) / samplesPerSecond;
  const QString who = bar->title == kAllNodes ? bar->title.toLower() : bar->title;
  QString words = QString("At %1 samples/s, %2 %3 per sample; %4 take%5 %6")
                      .arg(shownRate(samplesPerSecond),
                           bar->threads == 1 ? QString("one %1 has").arg(one)
                                             : QString("%1 %2 have").arg(bar->threads).arg(many),
                           shownMs(given), who, who.endsWith('s') ? "" : "s", shownMs(bar->ms()));
  const NodeTimePanel::Piece* longest = bar->longest();
  if (longest != nullptr && longest->title != bar->title)
    words += QString(", %1 %2 of it").arg(longest->title, shownMs(longest->ms));
  return words + '.';
}

}  // namespace

QString NodeTimePanel::bareMs(double ms) {
  if (ms > 0 && ms < 0.005) return QString("<") + kNoBreak + "0.01";
  if (ms < 0.1) return QString::number(ms, 'f', 2);
  return shownMs(ms).remove(kNoBreak + QString("ms"));
}

double NodeTimePanel::Bar::ms() const {
  double sum = 0;
  for (const Piece& piece : pieces) sum += piece.ms;
  return sum;
}

const NodeTimePanel::Piece* NodeTimePanel::Bar::longest() const {
  const auto most = std::ranges::max_element(pieces, {}, &Piece::ms);
  return most == pieces.end() ? nullptr : &*most;
}

struct NodeTimePanel::Geometry {
  QRectF plot;
  PlotAxis axis;  ///< ms
  QRectF row(std::size_t i) const {
    return {plot.left(),
            plot.top() + static_cast<double>(i) * kNodeRow + (kNodeRow - kBarHeight) / 2,
            plot.width(), kBarHeight};
  }
};

NodeTimePanel::NodeTimePanel(QWidget* parent) : PaintedView("Time by node", parent) {
  setMouseTracking(true);
}

void NodeTimePanel::setWorkers(const QString& one, const QString& many) {
  m_worker = one;
  m_workers = many;
}

void NodeTimePanel::refresh(const LiveRun& run, const std::optional<TimeSpan>& range) {
  if (!follows()) return;
  const LiveSpan span = run.of(range);
  std::vector<Bar> bars = barsOf(run, span);
  const QString words = summaryOf(bars, span.samplesPerSecond(), m_worker, m_workers);
  if (bars == m_bars && words == m_words) return;
  m_bars = std::move(bars);
  m_words = words;
  setAccessibleDescription(m_words);
  update();
}

TextTable NodeTimePanel::table() const {
  TextTable table{{"stage", "node", "ms_a_sample"}, {}};
  for (const Bar& bar : m_bars)
    for (const Piece& piece : bar.pieces)
      table.rows << QVariantList{bar.title, piece.title, piece.ms};
  return table;
}

NodeTimePanel::Geometry NodeTimePanel::geometry() const {
  const QFontMetricsF metrics(uiFont(12));
  const QFontMetricsF bold(uiFont(12, true));
  double label = 40;
  double value = 40;
  double most = 0.001;
  for (const Bar& bar : m_bars) {
    label = std::max(label, std::ceil(metrics.horizontalAdvance(bar.title)));
    value = std::max(value, std::ceil(bold.horizontalAdvance(valueOf(bar))));
    most = std::max(most, bar.ms());
  }
  label = std::min(label, width() * 0.35);
  const double rows = kNodeRow * static_cast<double>(m_bars.size());
  const QRectF plot(12 + label + 10, 10, std::max(20.0, width() - label - value - 36), rows);
  const int ticks = std::clamp(static_cast<int>(plot.width() / kTickRoom) + 1, 2, 6);
  return {plot, roundAxis(0, most, ticks)};
}

void NodeTimePanel::paintBar(QPainter& painter, const Bar& bar, const QRectF& box,
                             double pixelsPerMs) const {
  const QFontMetricsF bold(uiFont(12, true));
  double x = box.left();
  for (const Piece& piece : bar.pieces) {
    const QColor colour = theme().category(piece.category);
    const QRectF part(x, box.top(), std::max(1.0, piece.ms * pixelsPerMs), box.height());
    painter.fillRect(part.adjusted(0, 0, part.width() > 3 ? -1 : 0, 0), colour);
    x += part.width();
    const QString name = piece.title + ' ' + bareMs(piece.ms);
    const std::optional<QColor> ink = readableOn(colour);
    if (!ink || bold.horizontalAdvance(name) + 12 > part.width()) continue;
    painter.setFont(uiFont(12, true));
    painter.setPen(*ink);
    painter.drawText(part.adjusted(6, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, name);
  }
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[Tone::Text]);
  const QString value = valueOf(bar);
  if (bar.limits) {
    painter.setPen(QPen(theme()[bar.keepsUp ? Tone::Water : Tone::Bottleneck], 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(box.topLeft(), QPointF(x, box.bottom())).adjusted(-2, -2, 2, 2));
    painter.setPen(theme()[Tone::Text]);
  }
  const double room = bold.horizontalAdvance(value);
  painter.drawText(QRectF(std::min(x + 6, width() - room - 4), box.top(), room + 2, box.height()),
                   Qt::AlignVCenter | Qt::AlignLeft, value);
}

void NodeTimePanel::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  const Geometry g = geometry();
  if (m_bars.empty()) {
    painter.setPen(theme()[Tone::Hint]);
    painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                     "Each node's time appears here once it runs.");
    return;
  }
  painter.setFont(uiFont(11));
  for (const double tick : g.axis.ticks) {
    const double x = std::round(g.plot.left() + g.plot.width() * g.axis.shareOf(tick)) + 0.5;
    painter.setPen(theme()[tick == 0 ? Tone::Control : Tone::Border]);
    painter.drawLine(QPointF(x, g.plot.top()), QPointF(x, g.plot.bottom()));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QRectF(x - 30, g.plot.bottom() + 2, 60, 16), Qt::AlignCenter,
                     g.axis.word(tick));
  }
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    const QRectF box = g.row(i);
    painter.setFont(uiFont(12));
    painter.setPen(theme()[Tone::Text2]);
    const QRectF label(12, box.top(), box.left() - 22, box.height());
    painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(m_bars[i].title, Qt::ElideRight, label.width() + 1));
    paintBar(painter, m_bars[i], box, g.plot.width() / g.axis.high);
  }
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  const double top = g.plot.bottom() + 24;
  painter.drawText(QRectF(12, top, width() - 24, std::max(kFooterHeight, height() - top)),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_words);
}

bool NodeTimePanel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return RunView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Geometry g = geometry();
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    if (!g.row(i).adjusted(-200, -6, 60, 6).contains(help->pos())) continue;
    QStringList lines;
    for (const Piece& piece : m_bars[i].pieces)
      if (piece.ms >= kWorthNaming) lines << piece.title + ": " + shownMs(piece.ms) + " per sample";
    QToolTip::showText(help->globalPos(), lines.join('\n'), this);
    return true;
  }
  return RunView::event(event);
}

}  // namespace millrace
