// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/tune_plot.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/common/focus_frame.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_tune.h"
#include "widgets/models/search/tune_order.h"
#include "widgets/tune/name_place.h"

namespace millrace {

namespace {

constexpr double kReach = 14;  ///< pixels within which a setting is under the cursor
constexpr double kRadius = 5;
constexpr int kNameSize = 11;
constexpr double kNameHeight = 14;

QString axisText(TuneGoal goal) {
  if (goal == TuneGoal::Latency) return "wait for a batch, p95, ms";
  return goal == TuneGoal::EpochTime ? QString("first epoch, s") : goalFigure(goal);
}

}  // namespace

TunePlot::TunePlot(const LiveTune& tune, QWidget* parent)
    : QWidget(parent), m_tune(tune), m_export(new QAction("Export chart…", this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Speed of the settings against their cost");
  m_export->setIcon(icon("export"));
  m_export->setToolTip("Save as PNG, SVG, CSV or JSON");
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
}

void TunePlot::setCost(Cost cost) {
  m_cost = cost;
  refresh();
}

void TunePlot::refresh() {
  if (m_chosen && *m_chosen >= m_tune.trials().size()) m_chosen.reset();
  setAccessibleDescription(m_chosen ? tipOf(*m_chosen) : QString());
  update();
}

void TunePlot::setChosen(std::optional<std::size_t> trial) {
  if (trial == m_chosen) return;
  m_chosen = trial;
  refresh();
}

std::optional<double> TunePlot::costOf(std::size_t trial) const {
  const TunedTrial& one = m_tune.trials()[trial];
  if (one.failed() || !figureOf(trial)) return std::nullopt;
  if (m_cost == Cost::Cores) return one.cores;
  return one.bytes ? std::optional(*one.bytes / kMegabyte) : std::nullopt;
}

bool TunePlot::lessIsBetter() const {
  return m_tune.goal() != TuneGoal::Throughput &&
         std::ranges::any_of(m_tune.trials(),
                             [](const TunedTrial& each) { return each.goal.has_value(); });
}

std::optional<double> TunePlot::figureOf(std::size_t trial) const {
  const TunedTrial& one = m_tune.trials()[trial];
  return lessIsBetter() ? one.goal : m_tune.rateOf(trial);
}

/// The tuning's own front is about speed; for other goals the front of the shown figures is used.
bool TunePlot::isOnFront(std::size_t trial) const {
  if (lessIsBetter()) {
    const auto figure = figureOf(trial);
    const auto cost = costOf(trial);
    const auto beats = [&](std::size_t other) {
      return *costOf(other) <= *cost && *figureOf(other) < *figure;
    };
    return figure && cost && std::ranges::none_of(shown(), beats);
  }
  return std::ranges::find(m_tune.front(), trial) != m_tune.front().end();
}

std::vector<std::size_t> TunePlot::shown() const {
  std::vector<std::size_t> trials;
  for (std::size_t t = 0; t < m_tune.trials().size(); ++t)
    if (costOf(t)) trials.push_back(t);
  std::ranges::sort(trials, {}, [this](std::size_t t) { return std::pair(*costOf(t), t); });
  return trials;
}

PlotFrame TunePlot::frame() const {
  double most = 0;
  double least = 0;
  double dearest = 0;
  bool any = false;
  for (const std::size_t t : shown()) {
    most = std::max(most, *figureOf(t));
    least = any ? std::min(least, *costOf(t)) : *costOf(t);
    dearest = std::max(dearest, *costOf(t));
    any = true;
  }
  PlotFrame frame;
  frame.area = QRectF(rect()).adjusted(62, 44, -30, -46);
  const double room = std::max((dearest - least) * 0.08, dearest * 0.02);
  frame.x = roundAxis(std::max(0.0, least - room), dearest + room,
                      std::max(2, static_cast<int>(frame.area.width() / 80)));
  frame.y = roundAxis(0, most * 1.05, std::max(2, static_cast<int>(frame.area.height() / 36)));
  return frame;
}

QPointF TunePlot::placeOf(std::size_t trial) const {
  if (trial >= m_tune.trials().size() || !costOf(trial)) return {};
  return frame().at(*costOf(trial), *figureOf(trial));
}

std::optional<std::size_t> TunePlot::trialAt(QPointF at) const {
  std::optional<std::size_t> nearest;
  double least = kReach;
  for (const std::size_t t : shown()) {
    const QPointF place = placeOf(t);
    const double distance = std::hypot(place.x() - at.x(), place.y() - at.y());
    if (distance > least) continue;
    least = distance;
    nearest = t;
  }
  return nearest;
}

// Painting.

void TunePlot::paintEvent(QPaintEvent*) {
  {
    QPainter painter(this);
    paint(painter);
  }
  paintFocusFrame(*this, *this);
}

void TunePlot::paintEmpty(QPainter& painter) const {
  painter.setFont(uiFont(13));
  painter.setPen(theme()[Tone::Text2]);
  const bool going = m_tune.isGoing();
  painter.drawText(
      QRectF(rect()).adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
      going ? "The unmodified pipeline is measured first." : "There are no measurements to draw.");
}

void TunePlot::paint(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme()[Tone::Base]);
  const std::vector<std::size_t> trials = shown();
  if (trials.empty()) return paintEmpty(painter);
  const PlotFrame frame = this->frame();
  frame.paint(painter);
  const bool less = lessIsBetter();
  frame.paintTitles(painter, less ? axisText(m_tune.goal()) : QString("samples/s"),
                    m_cost == Cost::Memory ? "peak memory, MB" : "busy cores");
  frame.paintCaption(
      painter, less ? "down and left is better; filled, dashed: no setting is better and cheaper"
                    : "up and left is better; hollow: another setting is as fast at less cost, or "
                      "the gain is not proven");
  paintFront(painter, frame);
  for (const bool front : {false, true})
    for (const std::size_t t : trials)
      if (isOnFront(t) == front) paintTrial(painter, t);
  for (const std::size_t t : trials)
    if (!shownName(t).isEmpty()) paintName(painter, t);
}

/// The part of the front that is visible against this cost: a better figure only at a higher cost.
QPolygonF TunePlot::frontLine(const PlotFrame& frame) const {
  QPolygonF line;
  std::optional<double> best;
  for (const std::size_t t : shown()) {
    const double figure = *figureOf(t);
    const bool better = !best || (lessIsBetter() ? figure < *best : figure > *best);
    if (!isOnFront(t) || !better) continue;
    best = figure;
    line << frame.at(*costOf(t), figure);
  }
  return line;
}

void TunePlot::paintFront(QPainter& painter, const PlotFrame& frame) const {
  QPen dashed(theme()[Tone::Control], 1.2);
  dashed.setDashPattern({4, 3});
  painter.setPen(dashed);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(frontLine(frame));
}

void TunePlot::paintTrial(QPainter& painter, std::size_t trial) const {
  const QPointF at = placeOf(trial);
  painter.setPen(QPen(theme().series(0), 1.6));
  painter.setBrush(isOnFront(trial) ? theme().series(0) : theme()[Tone::Base]);
  painter.drawEllipse(at, kRadius, kRadius);
  if (m_chosen == trial) {
    painter.setPen(QPen(theme()[Tone::Accent], 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, kRadius + 4, kRadius + 4);
  }
}

QString TunePlot::shownName(std::size_t trial) const {
  if (m_tune.best() == trial) return trial == 0 ? "best, unmodified" : "best";
  return trial == 0 ? "unmodified" : "";
}

QRectF TunePlot::nameBoxOf(std::size_t trial) const {
  if (trial >= m_tune.trials().size() || !costOf(trial) || shownName(trial).isEmpty()) return {};
  const PlotFrame frame = this->frame();
  const bool best = m_tune.best() == trial;
  NameRoom room;
  room.area = frame.area;
  room.radius = kRadius + 2;
  for (const std::size_t t : shown()) room.points.push_back(placeOf(t));
  room.line = frontLine(frame);
  // The best is placed first.
  if (!best && m_tune.best() && !nameBoxOf(*m_tune.best()).isNull())
    room.names.push_back(nameBoxOf(*m_tune.best()));
  const double width =
      QFontMetricsF(uiFont(kNameSize, best)).horizontalAdvance(shownName(trial)) + 4;
  // The best is named beyond its point, the unmodified one on the other side: they may be close.
  const NameSide side = best != lessIsBetter() ? NameSide::Above : NameSide::Below;
  return placeName(placeOf(trial), {width, kNameHeight}, side, room);
}

void TunePlot::paintName(QPainter& painter, std::size_t trial) const {
  const bool best = m_tune.best() == trial;
  painter.setFont(uiFont(kNameSize, best));
  painter.setPen(theme()[best ? Tone::Text : Tone::Text2]);
  painter.drawText(nameBoxOf(trial), Qt::AlignCenter, shownName(trial));
}

// Mouse and keyboard.

void TunePlot::choose(std::size_t trial) {
  setChosen(trial);
  emit trialChosen(trial);
}

void TunePlot::walk(int step) {
  const std::vector<std::size_t> trials = shown();
  if (trials.empty()) return;
  const auto found = m_chosen ? std::ranges::find(trials, *m_chosen) : trials.end();
  if (found == trials.end()) return choose(trials.front());
  const auto next = (found - trials.begin()) + step;
  if (next >= 0 && next < static_cast<std::ptrdiff_t>(trials.size()))
    choose(trials[static_cast<std::size_t>(next)]);
}

void TunePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto trial = trialAt(event->position())) choose(*trial);
}

void TunePlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto trial = trialAt(event->position())) emit trialTaken(*trial);
}

void TunePlot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: return walk(-1);
    case Qt::Key_Right:
    case Qt::Key_Up: return walk(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_chosen) emit trialTaken(*m_chosen);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

QString TunePlot::tipOf(std::size_t trial) const {
  const TunedTrial& one = m_tune.trials()[trial];
  QString words = m_tune.settingsOf(trial).replace(", ", "\n") + '\n';
  if (lessIsBetter() && one.goal)
    words += goalFigure(m_tune.goal()) + ' ' + shownGoalValue(m_tune.goal(), *one.goal) + ", ";
  if (const auto rate = m_tune.rateOf(trial)) words += shownRate(*rate) + " samples/s, ";
  words += m_tune.stateText(trial);
  if (!one.reason.isEmpty()) words += ": " + sentence(fromQt(one.reason));
  return words;
}

bool TunePlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto trial = trialAt(help->pos());
  QToolTip::showText(help->globalPos(), trial ? tipOf(*trial) : QString(), this);
  return true;
}

// Export.

TextTable TunePlot::table() const {
  const auto orNothing = [](const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
  };
  TextTable table;
  table.columns = QStringList{"settings", "state",          "samples_per_second",
                              "gain",     "peak_rss_bytes", "cores",
                              "on_front", "best",           "run",
                              "reason",   "goal",           "goal_value"};
  for (std::size_t t = 0; t < m_tune.trials().size(); ++t) {
    const TunedTrial& one = m_tune.trials()[t];
    table.rows << QVariantList{
        one.settings(),
        m_tune.stateText(t),
        orNothing(one.rate),
        orNothing(one.gain),
        one.bytes ? QVariant(static_cast<qlonglong>(*one.bytes)) : QVariant(),
        orNothing(one.cores),
        isOnFront(t) ? 1 : 0,
        m_tune.best() == t ? 1 : 0,
        one.run,
        one.reason,
        toQt(nameOf(m_tune.goal())),
        orNothing(one.goal)};
  }
  return table;
}

ViewExport TunePlot::description() const {
  ViewExport view;
  view.title = "Settings tried for " + m_tune.title();
  view.size = size();
  view.paint = [this](QPainter& painter) { paint(painter); };
  view.table = [this] { return table(); };
  return view;
}

Status TunePlot::exportTo(const QString& file) const { return exportView(description(), file); }

}  // namespace millrace
