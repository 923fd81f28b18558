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
/// A difference is not fitted below this: titles stay readable.
constexpr double kReadable = 0.45;
/// Down to here for the sake of all changes in one view.
constexpr double kStillReadable = 0.36;
/// Marks and chips are drawn as if the zoom were never below this.
constexpr double kMarkZoom = 0.8;

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

/// All that became of a node, a line each.
QString fateLines(const NodeDiff& node, const NodeSpec* spec) {
  if (node.fate == NodeFate::Same) return "<p>The same in both.</p>";
  if (node.fate == NodeFate::Added) return "<p><b>+ added</b></p>";
  if (node.fate == NodeFate::Removed) return "<p><b>− removed</b></p>";
  QStringList lines;
  for (const ParamDiff& param : node.params) {
    const ParamSpec* known = spec == nullptr ? nullptr : spec->param(param.param);
    lines << QString("%1: %2 → <b>%3</b>")
                 .arg(
                     toQt(known == nullptr ? validUtf8(param.param) : known->label).toHtmlEscaped(),
                     toQt(singleLine(shownParam(param.before))).toHtmlEscaped(),
                     toQt(singleLine(shownParam(param.after))).toHtmlEscaped());
  }
  if (node.moved)
    lines << QString("moved: behind %1, now behind %2")
                 .arg(toQt(validUtf8(node.behindBefore)).toHtmlEscaped(),
                      toQt(validUtf8(node.behindAfter)).toHtmlEscaped());
  if (node.renamed())
    lines << QString("renamed: was %1").arg(toQt(validUtf8(node.before)).toHtmlEscaped());
  if (node.stateBefore != node.stateAfter)
    lines << (node.stateAfter == NodeState::On ? "bypassed, now on" : "on, now bypassed");
  return "<p><b>≠ changed</b><br>" + lines.join("<br>") + "</p>";
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
  fit();
  viewport()->update();
  return {};
}

void KeptCanvas::clear() {
  setScene(nullptr);
  m_session.reset();
  m_scene = nullptr;
  m_diff.reset();
}

double KeptCanvas::leastZoom() const {
  const QRectF changed = changedRect();
  if (changed.isEmpty()) return kLeastZoom;
  const double fits =
      std::min(viewport()->width() / changed.width(), viewport()->height() / changed.height());
  return std::clamp(fits, kStillReadable, kReadable);
}

QRectF KeptCanvas::changedRect() const {
  QRectF changed;
  if (!m_diff || !m_session) return changed;
  const auto& bodies = m_session->geometry.layout().nodes;
  for (const NodeDiff& node : m_diff->nodes)
    if (const auto body = bodies.find(node.id());
        node.fate != NodeFate::Same && body != bodies.end()) {
      changed |= markedRect(node.id(), body->second);
    }
  constexpr double kRoomForMarks = 36;
  if (!changed.isEmpty())
    changed.adjust(-kRoomForMarks, -kRoomForMarks, kRoomForMarks, kRoomForMarks);
  return changed;
}

/// What a node's mark is drawn around: of a region its head, since what is in it may be the same.
QRectF KeptCanvas::markedRect(const NodeId& id, const QRectF& body) const {
  if (m_session->geometry.layout().headed(id) == nullptr) return body;
  const QSizeF head(canvas::kNodeWidth + canvas::kRegionPad, canvas::kRegionHead);
  return {body.topLeft(), head.boundedTo(body.size())};
}

void KeptCanvas::fit() {
  if (m_scene == nullptr || viewport()->width() < 20) return;
  const QRectF content = m_scene->contentRect();
  const double whole =
      std::min(viewport()->width() / content.width(), viewport()->height() / content.height());
  const double zoom = std::clamp(whole, leastZoom(), 1.0);
  setTransform(QTransform::fromScale(zoom, zoom));
  const QRectF changed = changedRect();
  if (whole >= leastZoom() || changed.isEmpty()) {
    centerOn(content.center());
  } else {
    centerOn(changed.center());
    const bool all = changed.width() * zoom <= viewport()->width() + 1 &&
                     changed.height() * zoom <= viewport()->height() + 1;
    constexpr int kMargin = 16;
    // Its begin where not even the changes fit.
    if (!all)
      ensureVisible(QRectF(changed.topLeft(), QSizeF(canvas::kNodeWidth, canvas::kNodeHeight)),
                    kMargin, kMargin);
  }
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
    QToolTip::showText(help->globalPos(), toolTipAt(mapToScene(help->pos())), this);
    return true;
  }
  return QGraphicsView::viewportEvent(event);
}

QString KeptCanvas::toolTipAt(QPointF place) const {
  if (m_scene == nullptr) return {};
  const auto id = m_scene->nodeAt(place);
  if (m_diff && id)
    for (const NodeDiff& node : m_diff->nodes) {
      if (node.id() != *id) continue;
      const NodeSpec* spec = m_catalog.find(node.kind);
      return QString("<b>%1</b> <code>%2</code>")
                 .arg(toQt(spec == nullptr ? validUtf8(node.kind) : spec->label).toHtmlEscaped(),
                      toQt(*id)) +
             fateLines(node, spec) + (m_nodeWords ? m_nodeWords(node) : QString());
    }
  return m_scene->toolTipAt(place, canvas::kWireReach);
}

void KeptCanvas::drawForeground(QPainter* painter, const QRectF& rect) {
  QGraphicsView::drawForeground(painter, rect);
  if (!m_diff || !m_session) return;
  painter->setRenderHint(QPainter::Antialiasing);
  const auto& bodies = m_session->geometry.layout().nodes;
  for (const NodeDiff& node : m_diff->nodes) {
    const auto body = bodies.find(node.id());
    if (node.fate != NodeFate::Same && body != bodies.end())
      paintMark(*painter, node, markedRect(node.id(), body->second));
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
  // From here on in the marks' own scale, around the body's lower and upper right corners.
  const double scale = std::max(1.0, kMarkZoom / transform().m11());
  const auto at = [&](QPointF corner) {
    painter.save();
    painter.translate(corner);
    painter.scale(scale, scale);
  };
  const QString words = changeWords(node);
  if (!words.isEmpty()) {
    const QFont font = uiFont(12, true);
    const QString shown = QFontMetricsF(font).elidedText(words, Qt::ElideRight, body.width() - 12);
    const double width = QFontMetricsF(font).horizontalAdvance(shown) + 12;
    at(body.bottomRight());
    const QRectF chip(-width - 6 / scale, -11, width, 20);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(theme()[look.soft]);
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(font);
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(chip, Qt::AlignCenter, shown);
    painter.restore();
  }
  at(body.topRight());
  const QRectF mark(-kMark / 2 - 2, -kMark / 2 - 2, kMark, kMark);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(mark);
  painter.setFont(uiFont(13, true));
  painter.setPen(theme()[Tone::Base]);
  painter.drawText(mark, Qt::AlignCenter, look.sign);
  painter.restore();
}

}  // namespace millrace
