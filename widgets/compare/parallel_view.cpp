// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/parallel_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "core/base/text/csv_cell.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/compare/plot_frame.h"
#include "widgets/runs/run_column.h"
#include "widgets/runs/run_table_text.h"

namespace millrace {

namespace {

constexpr double kAxisReach = 9;
constexpr double kLineReach = 6;
constexpr double kAxisDragFrom = 4;
constexpr double kTitleHeight = 16;
constexpr double kLeastWord = 24;  ///< narrower words would be only dots
constexpr double kBeside = 48;
constexpr double kAboveTitles = 22;
constexpr double kBelowTitles = 20;

QString shownTitle(const ParallelAxes::Axis& axis) {
  QString title = axis.title;
  if (axis.log) title += ", log";
  if (axis.flipped) title += " ↓";
  return title;
}

/// "Workers › Threads" in two lines is "Workers ›", "Threads"; other titles break near their
/// middle.
QStringList wrapped(const QString& title, int lines) {
  if (lines < 2) return {title};
  qsizetype at = title.indexOf(" › ");
  if (at >= 0) return {title.left(at + 2), title.mid(at + 3)};
  const qsizetype middle = title.size() / 2;
  const qsizetype before = title.lastIndexOf(' ', middle);
  const qsizetype after = title.indexOf(' ', middle);
  at = before < 0 || (after >= 0 && after - middle < middle - before) ? after : before;
  return at < 0 ? QStringList{title} : QStringList{title.left(at), title.mid(at + 1)};
}

double widestOf(const QStringList& lines, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& line : lines) widest = std::max(widest, metrics.horizontalAdvance(line));
  return widest;
}

/// What an axis has at its ends, or all of its words, as lines of a tooltip.
QString valuesOf(const ParallelAxes::Axis& axis) {
  if (axis.isNumber) return axis.lowWord + " to " + axis.highWord;
  constexpr qsizetype kMost = 12;
  QStringList words = axis.words.mid(0, kMost);
  if (axis.words.size() > kMost) words << "…";
  return words.join('\n');
}

/// How far the line is above or below the point; infinite where the line does not reach.
double distanceTo(const QPolygonF& line, QPointF at) {
  double least = std::numeric_limits<double>::infinity();
  for (qsizetype i = 0; i + 1 < line.size(); ++i) {
    if (at.x() < line[i].x() || at.x() > line[i + 1].x()) continue;
    const double share = (at.x() - line[i].x()) / (line[i + 1].x() - line[i].x());
    least =
        std::min(least, std::abs(line[i].y() + share * (line[i + 1].y() - line[i].y()) - at.y()));
  }
  return least;
}

}  // namespace

ParallelView::ParallelView(CompareSet& set, QWidget* parent)
    : CompareView("Parallel coordinates", set, parent),
      m_constants(new QAction("Show constant settings", this)) {
  m_constants->setIcon(icon("filter", Tone::Text2));
  m_constants->setCheckable(true);
  m_constants->setToolTip("Also show settings that are the same in all runs");
  insertAction(exportAction(), m_constants);
  connect(m_constants, &QAction::toggled, this, [this](bool shown) {
    m_axes.setHideConstants(!shown);
    update();
  });
  connect(&set, &CompareSet::cloudChanged, this, [this, &set] {
    m_axes.setCloud(set.cloud());
    m_focused = 0;
    update();
  });
  connect(&set, &CompareSet::changed, this, qOverload<>(&QWidget::update));
}

QString ParallelView::emptyReason() const {
  if (set().cloud().runs.size() < 2) return "This plot needs two or more runs in the list.";
  return m_axes.axes().size() < 2 ? "The listed runs do not differ." : QString();
}

/// Below the count of runs and above the words at the axes' upper ends.
QRectF ParallelView::area() const {
  const TitleRows titles = titleRows();
  const double top = kAboveTitles + titles.rows * titles.lines * kTitleHeight + kBelowTitles;
  return QRectF(rect()).adjusted(kBeside, top, -kBeside, -28);
}

QRectF ParallelView::titleRoom(std::size_t axis, int rows) const {
  const auto gaps = static_cast<double>(std::max<std::size_t>(2, m_axes.axes().size()) - 1);
  const double apart = (width() - 2 * kBeside) / gaps;
  const double x = kBeside + apart * static_cast<double>(axis);
  const double half = std::max(40.0, rows * apart - 8) / 2;
  return {QPointF(std::max(2.0, x - half), 0), QPointF(std::min(width() - 2.0, x + half), 0)};
}

bool ParallelView::fits(const TitleRows& titles, const QFontMetricsF& metrics) const {
  for (std::size_t i = 0; i < m_axes.axes().size(); ++i)
    if (widestOf(wrapped(shownTitle(m_axes.axes()[i]), titles.lines), metrics) >
        titleRoom(i, titles.rows).width())
      return false;
  return true;
}

ParallelView::TitleRows ParallelView::titleRows() const {
  constexpr std::array kByHeight = {TitleRows{1, 1}, TitleRows{2, 1}, TitleRows{1, 2},
                                    TitleRows{3, 1}, TitleRows{2, 2}, TitleRows{3, 2},
                                    TitleRows{4, 2}};
  const QFontMetricsF metrics(uiFont(11, true));
  for (const TitleRows& titles : kByHeight)
    if (fits(titles, metrics)) return titles;
  return kByHeight.back();
}

QStringList ParallelView::titleLines(std::size_t axis) const {
  const TitleRows titles = titleRows();
  const QFontMetricsF metrics(uiFont(11, true));
  QStringList lines = wrapped(shownTitle(m_axes.axes()[axis]), titles.lines);
  for (QString& line : lines)
    line = metrics.elidedText(line, Qt::ElideMiddle, titleRoom(axis, titles.rows).width());
  return lines;
}

double ParallelView::xOf(std::size_t axis) const {
  const std::size_t count = m_axes.axes().size();
  const QRectF area = this->area();
  if (count < 2) return area.center().x();
  return area.left() + area.width() * static_cast<double>(axis) / static_cast<double>(count - 1);
}

QRectF ParallelView::titleOf(std::size_t axis) const {
  const TitleRows titles = titleRows();
  const double height = titles.lines * kTitleHeight;
  const double row = static_cast<double>(axis % static_cast<std::size_t>(titles.rows));
  QRectF box = titleRoom(axis, titles.rows);
  box.setTop(area().top() - kBelowTitles - (row + 1) * height);
  box.setHeight(height);
  return box;
}

/// The room for a word at an axis: half of the way to its neighbours.
QRectF ParallelView::wordBox(std::size_t axis, double y) const {
  QRectF box = titleRoom(axis, 1);
  box.setTop(y - kTitleHeight / 2);
  box.setHeight(kTitleHeight);
  return box;
}

double ParallelView::placeAt(double y) const {
  // A brush that ends near the end of an axis includes the values at the end.
  constexpr double kEnd = 5;
  if (y < area().top() + kEnd) return 1;
  if (y > area().bottom() - kEnd) return 0;
  return (area().bottom() - y) / area().height();
}

std::vector<QPolygonF> ParallelView::linesOf(const CloudRun& run) const {
  std::vector<QPolygonF> pieces;
  bool goesOn = false;
  for (std::size_t axis = 0; axis < m_axes.axes().size(); ++axis) {
    const auto place = m_axes.placeOf(run, axis);
    if (place && !goesOn) pieces.emplace_back();
    if (place) pieces.back() << QPointF(xOf(axis), area().bottom() - *place * area().height());
    goesOn = place.has_value();
  }
  return pieces;
}

void ParallelView::paintLine(QPainter& painter, const CloudRun& run) const {
  constexpr double kAlone = 3;
  for (const QPolygonF& piece : linesOf(run)) {
    if (piece.size() > 1)
      painter.drawPolyline(piece);
    else
      painter.drawEllipse(piece.first(), kAlone, kAlone);
  }
}

void ParallelView::paintPlot(QPainter& painter) {
  paintLines(painter);
  for (std::size_t axis = 0; axis < m_axes.axes().size(); ++axis) paintAxis(painter, axis);
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  const std::size_t all = set().cloud().runs.size();
  const QString words =
      m_axes.isBrushed() ? QString("%1 of %2 runs are inside the marked ranges · Esc clears them")
                               .arg(m_axes.wanted(set().cloud()).size())
                               .arg(all)
                         : QString("%1 runs · drag along an axis to mark a range").arg(all);
  painter.drawText(QRectF(12, 4, width() - 24, 14), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void ParallelView::paintLines(QPainter& painter) const {
  QColor quiet = theme()[Tone::Control];
  quiet.setAlphaF(set().cloud().runs.size() > 60 ? 0.35F : 0.6F);
  QColor faint = theme()[Tone::Border];
  faint.setAlphaF(0.5F);
  painter.setBrush(Qt::NoBrush);
  for (const CloudRun& run : set().cloud().runs) {
    if (set().seriesOf(run.number) >= 0) continue;
    painter.setPen(QPen(m_axes.isWanted(run) ? quiet : faint, 1));
    paintLine(painter, run);
  }
  for (const CloudRun& run : set().cloud().runs) {
    const int series = set().seriesOf(run.number);
    if (series < 0) continue;
    painter.setPen(seriesPen(series, 2.2));
    paintLine(painter, run);
  }
  for (const CloudRun& run : set().cloud().runs) {
    if (!isHovered(run.number)) continue;
    painter.setPen(QPen(theme()[Tone::Text], 2.5));
    paintLine(painter, run);
    painter.setFont(uiFont(11, true));
    const auto pieces = linesOf(run);
    if (!pieces.empty())
      painter.drawText(QRectF(area().right() + 6, pieces.back().last().y() - 8, 42, 16),
                       Qt::AlignLeft | Qt::AlignVCenter, nameOf(run.number).section(' ', 0, 0));
  }
}

void ParallelView::paintAxis(QPainter& painter, std::size_t i) const {
  const ParallelAxes::Axis& axis = m_axes.axes()[i];
  const double x = xOf(i);
  const QRectF area = this->area();
  const bool focused = hasFocus() && i == m_focused;
  painter.setPen(QPen(theme()[focused ? Tone::Accent : Tone::Text2], focused ? 2 : 1));
  painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  if (axis.brush) {
    const QRectF box(QPointF(x - 6, area.bottom() - axis.brush->to * area.height()),
                     QPointF(x + 6, area.bottom() - axis.brush->from * area.height()));
    QColor fill = theme()[Tone::Accent];
    painter.setPen(QPen(fill, 1.5));
    fill.setAlphaF(0.25F);
    painter.setBrush(fill);
    painter.drawRect(box);
  }
  painter.setFont(uiFont(11, focused));
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(titleOf(i), Qt::AlignHCenter | Qt::AlignBottom, titleLines(i).join('\n'));
  const auto word = [&](double place, const QString& text, double below) {
    painter.setFont(uiFont(11));
    painter.setPen(theme()[Tone::Text2]);
    const double y = area.bottom() - place * area.height() + below;
    const QRectF room = wordBox(i, y);
    if (room.width() < kLeastWord) return;
    painter.drawText(room, Qt::AlignCenter,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, room.width()));
  };
  if (axis.isNumber) {
    word(1, axis.flipped ? axis.lowWord : axis.highWord, -10);
    word(0, axis.flipped ? axis.highWord : axis.lowWord, 11);
  } else if (!axis.words.isEmpty()) {
    word(1, axis.flipped ? axis.words.first() : axis.words.last(), -10);
    if (axis.words.size() > 1) word(0, axis.flipped ? axis.words.last() : axis.words.first(), 11);
  }
}

std::optional<std::size_t> ParallelView::axisAt(double x, double reach) const {
  for (std::size_t i = 0; i < m_axes.axes().size(); ++i)
    if (std::abs(xOf(i) - x) <= reach) return i;
  return std::nullopt;
}

std::optional<std::size_t> ParallelView::titleAt(QPointF at) const {
  for (std::size_t i = 0; i < m_axes.axes().size(); ++i)
    if (titleOf(i).contains(at) && std::abs(at.x() - xOf(i)) < titleOf(i).width() / 2) return i;
  return std::nullopt;
}

/// A title's tooltip has it whole, and says what can be done with the axis; that of an axis has its
/// values whole.
bool ParallelView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CompareView::event(event);
  const auto* asked = static_cast<QHelpEvent*>(event);
  if (const auto title = titleAt(asked->pos()))
    QToolTip::showText(asked->globalPos(),
                       "<p style='white-space:pre'><b>" +
                           m_axes.axes()[*title].title.toHtmlEscaped() +
                           "</b><br>A click flips the axis (F).<br>A double click makes it "
                           "logarithmic (L).<br>Dragging moves it (Shift+Left, Shift+Right).</p>",
                       this);
  else if (const auto axis = axisAt(asked->pos().x(), kAxisReach))
    QToolTip::showText(asked->globalPos(),
                       m_axes.axes()[*axis].title + '\n' + valuesOf(m_axes.axes()[*axis]), this);
  else
    QToolTip::hideText();
  return true;
}

std::optional<RunNumber> ParallelView::runAt(QPointF at) const {
  std::optional<RunNumber> nearest;
  double least = kLineReach;
  for (const CloudRun& run : set().cloud().runs)
    for (const QPolygonF& line : linesOf(run)) {
      const double distance = distanceTo(line, at);
      if (distance > least) continue;
      least = distance;
      nearest = run.number;
    }
  return nearest;
}

void ParallelView::mousePressEvent(QMouseEvent* event) {
  m_grip.reset();
  if (event->button() != Qt::LeftButton) return;
  if (const auto title = titleAt(event->position()))
    m_grip = Grip{*title, true, event->position(), false};
  else if (const auto axis = axisAt(event->position().x(), kAxisReach);
           axis && area().adjusted(-kAxisReach, -4, kAxisReach, 4).contains(event->position()))
    m_grip = Grip{*axis, false, event->position(), false};
  if (m_grip) m_focused = m_grip->axis;
  update();
}

void ParallelView::drag(QPointF at) {
  const QPointF way = at - m_grip->from;
  m_grip->dragged = m_grip->dragged || std::abs(way.x()) + std::abs(way.y()) > kAxisDragFrom;
  if (!m_grip->dragged) return;
  if (m_grip->title) {
    const double step = area().width() / static_cast<double>(m_axes.axes().size() - 1);
    const auto to =
        static_cast<std::size_t>(std::clamp(std::lround((at.x() - area().left()) / step), 0L,
                                            static_cast<long>(m_axes.axes().size()) - 1));
    if (to != m_grip->axis) m_axes.move(m_grip->axis, to);
    m_grip->axis = m_focused = to;
  } else {
    const double a = placeAt(m_grip->from.y());
    const double b = placeAt(at.y());
    m_axes.setBrush(m_grip->axis, AxisBrush{std::min(a, b), std::max(a, b)});
  }
  update();
}

void ParallelView::mouseMoveEvent(QMouseEvent* event) {
  if (m_grip && event->buttons().testFlag(Qt::LeftButton))
    drag(event->position());
  else
    CompareView::mouseMoveEvent(event);
}

void ParallelView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (!m_grip) {
    CompareView::mouseReleaseEvent(event);
    return;
  }
  const Grip grip = *m_grip;
  m_grip.reset();
  if (grip.title) {
    if (!grip.dragged) m_axes.flip(grip.axis);
  } else {
    if (!grip.dragged) m_axes.setBrush(grip.axis, std::nullopt);
    chooseWanted();
  }
  update();
}

void ParallelView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto title = titleAt(event->position())) {
    // The first click of the two has flipped it.
    m_axes.flip(*title);
    m_axes.toggleLog(*title);
    update();
    return;
  }
  CompareView::mouseDoubleClickEvent(event);
}

void ParallelView::chooseWanted() {
  if (m_axes.isBrushed()) set().choose(m_axes.wanted(set().cloud()));
}

void ParallelView::keyPressEvent(QKeyEvent* event) {
  const std::size_t count = m_axes.axes().size();
  if (count == 0) return QWidget::keyPressEvent(event);
  const bool back = event->key() == Qt::Key_Left;
  const std::size_t next =
      back ? (m_focused == 0 ? 0 : m_focused - 1) : std::min(m_focused + 1, count - 1);
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (event->modifiers() & Qt::ShiftModifier && next != m_focused) m_axes.move(m_focused, next);
      m_focused = next;
      break;
    case Qt::Key_F: m_axes.flip(m_focused); break;
    case Qt::Key_L: m_axes.toggleLog(m_focused); break;
    case Qt::Key_Escape: m_axes.clearBrushes(); break;
    default: QWidget::keyPressEvent(event); return;
  }
  update();
}

std::string ParallelView::csv() const {
  const RunCloud& cloud = set().cloud();
  std::string text = "run";
  for (const ParallelAxes::Axis& axis : m_axes.axes()) text += "," + csvCell(fromQt(axis.id));
  text += "\n";
  for (const CloudRun& run : cloud.runs) {
    text += std::to_string(static_cast<std::int64_t>(run.number));
    for (const ParallelAxes::Axis& axis : m_axes.axes()) {
      const SqlValue& value = run.values[axis.value];
      text += ',';
      if (const auto* real = std::get_if<double>(&value))
        text += QByteArray::number(*real, 'g', 12).toStdString();
      if (const auto* integer = std::get_if<std::int64_t>(&value)) text += std::to_string(*integer);
      if (const auto* word = std::get_if<std::string>(&value)) text += csvCell(*word);
    }
    text += "\n";
  }
  return text;
}

}  // namespace millrace
