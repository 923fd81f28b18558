// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/kept_canvas.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/edit_session.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kLeastZoom = 0.1;
constexpr double kMostZoom = 4;
constexpr double kMark = 18;

struct Look {
  const char* sign;
  Tone tone;
  Tone soft;
};

Look lookOf(NodeFate fate) {
  switch (fate) {
    case NodeFate::Added: return {"+", Tone::Faster, Tone::FasterSoft};
    case NodeFate::Removed: return {"−", Tone::Text2, Tone::Base};
    case NodeFate::Changed: return {"≠", Tone::Warning, Tone::WarningSoft};
    case NodeFate::Same: break;
  }
  return {"", Tone::Text, Tone::Base};
}

/// "2 → 6", of the first two parameters that changed.
QString changeWords(const NodeDiff& node) {
  if (node.fate != NodeFate::Changed) return {};
  QStringList words;
  constexpr std::size_t kMost = 2;
  for (std::size_t i = 0; i < std::min(kMost, node.params.size()); ++i)
    words << toQt(singleLine(shownParam(node.params[i].before))) + " → " +
                 toQt(singleLine(shownParam(node.params[i].after)));
  if (node.params.size() > kMost) words << "…";
  if (words.isEmpty() && node.moved) words << "moved";
  if (words.isEmpty() && node.renamed()) words << "renamed";
  if (words.isEmpty() && node.stateBefore != node.stateAfter)
    words << (node.stateAfter == NodeState::On ? "on" : "bypassed");
  return words.join(", ");
}

}  // namespace

KeptCanvas::KeptCanvas(const Catalog& catalog, QWidget* parent)
    : QGraphicsView(parent), m_catalog(catalog) {
  setRenderHint(QPainter::Antialiasing);
  setDragMode(ScrollHandDrag);
  setTransformationAnchor(AnchorUnderMouse);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(NoFrame);
  setInteractive(false);
  setAccessibleName("Pipeline, as it ran");
  connect(horizontalScrollBar(), &QScrollBar::sliderPressed, this, [this] { m_fitted = false; });
}

KeptCanvas::~KeptCanvas() { setScene(nullptr); }

Status KeptCanvas::show(const std::string& json, const QString& title) {
  auto session = std::make_unique<EditSession>(m_catalog);
  if (const Status opened = session->document.openText(json, title); !opened) return opened;
  setScene(nullptr);
  m_diff.reset();
  m_session = std::move(session);
  m_scene = new CanvasScene(m_session->document, m_session->selection, m_session->check,
                            m_session->geometry);
  setScene(m_scene);
  m_fitted = true;
  fit();
  return {};
}

Status KeptCanvas::showDiff(const std::string& before, const std::string& after,
                            const GraphDiff& diff) {
  const ReadGraph old = parseGraph(before, m_catalog);
  ReadGraph now = parseGraph(after, m_catalog);
  if (!old.graph || !now.graph) return Error{"one of the two pipelines cannot be read"};
  for (const NodeDiff& node : diff.nodes) {
    const GraphNode* gone = old.graph->node(node.before);
    if (node.fate != NodeFate::Removed || gone == nullptr || now.graph->node(gone->id) != nullptr)
      continue;
    GraphNode ghost = *gone;
    ghost.ui = {};
    now.graph->nodes.push_back(std::move(ghost));
  }
  if (const Status shown = show(graphText(*now.graph, m_catalog), "difference"); !shown)
    return shown;
  m_diff = std::make_unique<GraphDiff>(diff);
  viewport()->update();
  return {};
}

void KeptCanvas::clear() {
  setScene(nullptr);
  m_session.reset();
  m_scene = nullptr;
  m_diff.reset();
}

void KeptCanvas::fit() {
  if (m_scene == nullptr || viewport()->width() < 20) return;
  const QRectF content = m_scene->contentRect();
  const double zoom = std::clamp(
      std::min(viewport()->width() / content.width(), viewport()->height() / content.height()),
      kLeastZoom, 1.0);
  setTransform(QTransform::fromScale(zoom, zoom));
  centerOn(content.center());
  m_fitted = true;
}

void KeptCanvas::zoomBy(double factor) {
  const double zoom = std::clamp(transform().m11() * factor, kLeastZoom, kMostZoom);
  setTransform(QTransform::fromScale(zoom, zoom));
  m_fitted = false;
}

void KeptCanvas::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier)
    zoomBy(std::pow(1.0015, event->angleDelta().y()));
  else
    QGraphicsView::wheelEvent(event);
}

void KeptCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_F || event->key() == Qt::Key_0)
    fit();
  else if (event->key() == Qt::Key_Plus)
    zoomBy(1.25);
  else if (event->key() == Qt::Key_Minus)
    zoomBy(1 / 1.25);
  else
    QGraphicsView::keyPressEvent(event);
}

void KeptCanvas::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  if (m_fitted) fit();
}

void KeptCanvas::showEvent(QShowEvent* event) {
  QGraphicsView::showEvent(event);
  if (m_fitted) fit();
}

bool KeptCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_scene != nullptr) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), m_scene->toolTipAt(mapToScene(help->pos()), 8), this);
    return true;
  }
  return QGraphicsView::viewportEvent(event);
}

void KeptCanvas::drawForeground(QPainter* painter, const QRectF& rect) {
  QGraphicsView::drawForeground(painter, rect);
  if (!m_diff || !m_session) return;
  painter->setRenderHint(QPainter::Antialiasing);
  const auto& bodies = m_session->geometry.layout().nodes;
  for (const NodeDiff& node : m_diff->nodes) {
    const auto body = bodies.find(node.id());
    if (node.fate != NodeFate::Same && body != bodies.end())
      paintMark(*painter, node, body->second);
  }
}

void KeptCanvas::paintMark(QPainter& painter, const NodeDiff& node, const QRectF& body) const {
  const Look look = lookOf(node.fate);
  const QColor colour = theme()[look.tone];
  painter.setBrush(Qt::NoBrush);
  QPen pen(colour, 2);
  if (node.fate == NodeFate::Removed) {
    QColor veil = theme()[Tone::Canvas];
    veil.setAlphaF(0.6F);
    painter.fillRect(body.adjusted(-8, -2, 8, 2), veil);
    pen.setDashPattern({4, 3});
  }
  painter.setPen(pen);
  painter.drawRoundedRect(body.adjusted(-2, -2, 2, 2), canvas::kNodeRadius + 2,
                          canvas::kNodeRadius + 2);
  if (node.fate == NodeFate::Added)
    painter.drawRoundedRect(body.adjusted(-6, -6, 6, 6), canvas::kNodeRadius + 6,
                            canvas::kNodeRadius + 6);
  const QString words = changeWords(node);
  if (!words.isEmpty()) {
    const QFont font = uiFont(12, true);
    const QString shown = QFontMetricsF(font).elidedText(words, Qt::ElideRight, body.width() - 12);
    const double width = QFontMetricsF(font).horizontalAdvance(shown) + 12;
    const QRectF chip(body.right() - width - 6, body.bottom() - 11, width, 20);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(theme()[look.soft]);
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(font);
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(chip, Qt::AlignCenter, shown);
  }
  const QRectF mark(body.right() - kMark / 2 - 2, body.top() - kMark / 2 - 2, kMark, kMark);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(mark);
  painter.setFont(uiFont(13, true));
  painter.setPen(theme()[Tone::Base]);
  painter.drawText(mark, Qt::AlignCenter, look.sign);
}

}  // namespace millrace
