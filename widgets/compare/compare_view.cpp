// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_view.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

#include "core/compare/comparison.h"
#include "widgets/common/focus_frame.h"
#include "widgets/common/icons.h"

namespace millrace {

CompareView::CompareView(const QString& title, CompareSet& set, QWidget* parent)
    : QWidget(parent), m_title(title), m_set(set), m_export(new QAction("Export chart…", this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(title);
  m_export->setIcon(icon("export", Tone::Text2));
  m_export->setToolTip("Export as PNG, SVG or CSV");
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
  addAction(m_export);
  connect(&set, &CompareSet::hoverChanged, this, qOverload<>(&QWidget::update));
}

void CompareView::paintEvent(QPaintEvent*) {
  {
    QPainter painter(this);
    paintAll(painter);
  }
  paintFocusFrame(*this, *this);
}

void CompareView::paintAll(QPainter& painter) {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setRenderHint(QPainter::Antialiasing);
  const QString empty = m_set.problem().isEmpty() ? emptyReason() : m_set.problem();
  if (empty.isEmpty()) {
    paintPlot(painter);
    return;
  }
  paintIcon(painter, "compare", QRectF(width() / 2.0 - 13, height() / 2.0 - 34, 26, 26),
            theme()[Tone::Hint]);
  painter.setFont(uiFont(13));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(12, height() / 2.0, width() - 24, height() / 2.0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty);
}

QString CompareView::nameOf(RunNumber run) const {
  const QString number = QString::number(static_cast<std::int64_t>(run));
  return m_set.isBaseline(run) ? number + " baseline" : number;
}

void CompareView::chooseAt(QPointF at, Qt::KeyboardModifiers modifiers) {
  const auto run = runAt(at);
  if (!run) return;
  std::vector<RunNumber> chosen = {*run};
  if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
    chosen = m_set.chosen();
    if (std::erase(chosen, *run) == 0) chosen.push_back(*run);
  }
  m_set.choose(chosen);
}

void CompareView::mouseMoveEvent(QMouseEvent* event) {
  QWidget::mouseMoveEvent(event);
  m_set.hover(runAt(event->position()));
}

void CompareView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) chooseAt(event->position(), event->modifiers());
}

void CompareView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto run = runAt(event->position())) m_set.open(*run);
}

void CompareView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_set.hover(std::nullopt);
}

ViewExport CompareView::description() {
  ViewExport view;
  view.title = m_title;
  view.size = size();
  view.paint = [this](QPainter& painter) { paintAll(painter); };
  view.csv = [this] { return csv(); };
  return view;
}

Status CompareView::exportTo(const QString& file) { return exportView(description(), file); }

ChosenRunsView::ChosenRunsView(const QString& title, const QString& nothing, CompareSet& set,
                               QWidget* parent)
    : CompareView(title, set, parent), m_nothing(nothing) {
  connect(&set, &CompareSet::changed, this, [this, &set] {
    forget();
    if (const Comparison* comparison = set.comparison())
      for (const ComparedRun& run : comparison->runs) read(run);
    update();
  });
}

QString ChosenRunsView::emptyReason() const {
  if (set().chosen().size() < 2) return "Select two or more runs in the table.";
  return hasAnything() || set().comparison() == nullptr ? QString() : m_nothing;
}

}  // namespace millrace
