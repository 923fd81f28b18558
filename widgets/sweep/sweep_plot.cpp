// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_plot.h"

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
#include "widgets/models/search/live_sweep.h"

namespace millrace {

namespace {

constexpr double kReach = 24;  ///< pixels within which a setting of the line is under the cursor

}  // namespace

SweepPlot::SweepPlot(const LiveSweep& sweep, QWidget* parent)
    : QWidget(parent), m_sweep(sweep), m_export(new QAction("Export chart…", this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Sweep");
  m_export->setIcon(icon("export"));
  m_export->setToolTip("Save as PNG, SVG, CSV or JSON");
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
}

void SweepPlot::setAxes(std::size_t x, std::size_t y) {
  m_x = x;
  m_y = y;
  refresh();
}

void SweepPlot::refresh() {
  m_grid.reset();
  const std::size_t axes = m_sweep.plan().axes.size();
  if (m_sweep.isKnown()) {
    const std::size_t x = m_x < axes ? m_x : 0;
    const std::size_t other = m_y < axes && m_y != x ? m_y : (x == 0 ? 1 : 0);
    m_grid = gridOf(m_sweep, x, axes > 1 ? std::optional(other) : std::nullopt);
  }
  if (m_chosen && *m_chosen >= m_sweep.points().size()) m_chosen.reset();
  setAccessibleDescription(m_chosen ? tipOf(*m_chosen) : QString());
  update();
}

void SweepPlot::setChosen(std::optional<std::size_t> point) {
  if (point == m_chosen) return;
  m_chosen = point;
  refresh();
}

std::optional<std::pair<std::size_t, std::size_t>> SweepPlot::cellOf(std::size_t point) const {
  if (!m_grid || point >= m_sweep.points().size()) return std::nullopt;
  const std::vector<Value>& values = m_sweep.plan().points[point].values;
  const auto index = [](const std::vector<Value>& all, const Value& value) {
    return static_cast<std::size_t>(std::ranges::find(all, value) - all.begin());
  };
  return std::pair(m_grid->y ? index(m_grid->rows, values[*m_grid->y]) : 0,
                   index(m_grid->columns, values[m_grid->x]));
}

void SweepPlot::paintEvent(QPaintEvent*) {
  {
    QPainter painter(this);
    paint(painter);
  }
  paintFocusFrame(*this, *this);
}

// Mouse and keyboard.

std::optional<std::size_t> SweepPlot::pointAt(QPointF at) const {
  if (!m_grid) return std::nullopt;
  for (std::size_t r = 0; r < m_grid->rows.size(); ++r)
    for (std::size_t c = 0; c < m_grid->columns.size(); ++c) {
      const auto point = m_grid->at(r, c);
      if (!point) continue;
      if (m_grid->y ? cellBox(r, c).contains(at) : std::abs(placeOf(*point).x() - at.x()) <= kReach)
        return point;
    }
  return std::nullopt;
}

QPointF SweepPlot::placeOf(std::size_t point) const {
  const auto cell = cellOf(point);
  if (!cell) return {};
  if (m_grid->y) return cellBox(cell->first, cell->second).center();
  return frame().at(static_cast<double>(cell->second), m_sweep.rateOf(point).value_or(0));
}

void SweepPlot::choose(std::size_t point) {
  setChosen(point);
  emit pointChosen(point);
}

void SweepPlot::walk(int right, int down) {
  if (!m_grid) return;
  const auto cell = m_chosen ? cellOf(*m_chosen) : std::nullopt;
  const auto rows = static_cast<int>(m_grid->rows.size());
  const auto columns = static_cast<int>(m_grid->columns.size());
  int row = cell ? static_cast<int>(cell->first) + down : 0;
  int column = cell ? static_cast<int>(cell->second) + right : 0;
  // Cells without a setting are skipped.
  while (row >= 0 && row < rows && column >= 0 && column < columns) {
    const auto point = m_grid->at(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
    if (point) return choose(*point);
    row += down;
    column += cell ? right : 1;
  }
}

void SweepPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto point = pointAt(event->position())) choose(*point);
}

void SweepPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto point = pointAt(event->position())) emit pointTaken(*point);
}

void SweepPlot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: return walk(-1, 0);
    case Qt::Key_Right: return walk(1, 0);
    case Qt::Key_Up: return walk(0, -1);
    case Qt::Key_Down: return walk(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_chosen) emit pointTaken(*m_chosen);
      return;
    default: QWidget::keyPressEvent(event);
  }
}

QString SweepPlot::tipOf(std::size_t point) const {
  QString words = toQt(m_sweep.plan().settings(point)).replace(' ', '\n') + '\n';
  if (const auto rate = m_sweep.rateOf(point)) words += shownRate(*rate) + " samples/s, ";
  words += m_sweep.stateText(point);
  if (m_sweep.points()[point].failed()) words += ": " + sentence(m_sweep.points()[point].failure);
  return words;
}

bool SweepPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto point = pointAt(help->pos());
  QToolTip::showText(help->globalPos(), point ? tipOf(*point) : QString(), this);
  return true;
}

// Export.

TextTable SweepPlot::table() const {
  TextTable table;
  for (const SweepAxis& axis : m_sweep.plan().axes) table.columns << toQt(axis.name());
  table.columns << "state"
                << "samples_per_second"
                << "ci95_low"
                << "ci95_high"
                << "repeats"
                << "run"
                << "reason";
  const auto orNothing = [](const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
  };
  for (std::size_t p = 0; p < m_sweep.points().size(); ++p) {
    QVariantList row;
    for (const Value& value : m_sweep.plan().points[p].values) row << toQt(textOf(value));
    const RateFigures& rate = m_sweep.finding().figures[p].samplesPerSecond;
    const PointState& state = m_sweep.points()[p];
    row << m_sweep.stateText(p) << orNothing(m_sweep.rateOf(p)) << orNothing(rate.ci95Low)
        << orNothing(rate.ci95High) << static_cast<int>(state.repeats.size()) << m_sweep.runOf(p)
        << toQt(state.failure);
    table.rows << row;
  }
  return table;
}

ViewExport SweepPlot::description() const {
  ViewExport view;
  view.title = "Sweep of " + m_sweep.title();
  view.size = size();
  view.paint = [this](QPainter& painter) { paint(painter); };
  view.table = [this] { return table(); };
  return view;
}

Status SweepPlot::exportTo(const QString& file) const { return exportView(description(), file); }

}  // namespace millrace
