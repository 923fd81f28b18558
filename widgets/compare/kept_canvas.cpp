// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/kept_canvas.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/strings.h"
#include "widgets/compare/diff_mark.h"

namespace millrace {

namespace {

constexpr double kLeastZoom = 0.1;
constexpr double kMostZoom = 4;
/// The zoom for a difference that does not fit the view.
constexpr double kReadable = 0.45;
/// The zoom may be as low as this to fit everything, or else all changes, in one view.
constexpr double kStillReadable = 0.36;

}  // namespace

KeptCanvas::KeptCanvas(const Catalog& catalog, QWidget* parent)
    : QGraphicsView(parent), m_catalog(catalog) {
  setRenderHint(QPainter::Antialiasing);
  setDragMode(ScrollHandDrag);
  setTransformationAnchor(AnchorUnderMouse);
  setBars(Qt::ScrollBarAlwaysOff);
  setFrameShape(NoFrame);
  setInteractive(false);
  setAccessibleName("Pipeline, as it ran");
  connect(horizontalScrollBar(), &QScrollBar::sliderPressed, this, [this] { m_fitted = false; });
}

KeptCanvas::~KeptCanvas() { setScene(nullptr); }

Status KeptCanvas::show(const std::string& json, const QString& title) {
  auto session = std::make_unique<EditSession>(m_catalog);
  if (const Status opened = session->document.openText(json, title); !opened) return opened;
  open(std::move(session));
  return {};
}

void KeptCanvas::show(const Graph& graph, const Catalog& catalog, const QString& title) {
  auto session = std::make_unique<EditSession>(catalog);
  session->check.rest();
  session->document.edit(title, graph);
  open(std::move(session));
}

void KeptCanvas::open(std::unique_ptr<EditSession> session) {
  setScene(nullptr);
  m_diff.reset();
  m_session = std::move(session);
  m_scene = new CanvasScene(m_session->document, m_session->selection, m_session->check,
                            m_session->geometry);
  setScene(m_scene);
  setSceneRect(m_scene->contentRect());
  m_inRow = 0;
  m_fitted = true;
  fit();
}

Status KeptCanvas::showDiff(const std::string& before, const std::string& after,
                            const GraphDiff& diff) {
  const ReadGraph old = parseGraph(before, m_catalog);
  ReadGraph now = parseGraph(after, m_catalog);
  if (!old.graph || !now.graph) return Error{"one of the two pipelines cannot be read"};
  now.graph->comments.clear();  // Their places belong to another layout.
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

void KeptCanvas::showRun(const RunOverlay& overlay) {
  if (m_scene != nullptr) m_scene->showRun(overlay);
  fit();
}

const RunOverlay& KeptCanvas::run() const {
  static const RunOverlay kNone;
  return m_scene == nullptr ? kNone : m_scene->run();
}

void KeptCanvas::clear() {
  setScene(nullptr);
  m_session.reset();
  m_scene = nullptr;
  m_diff.reset();
}

/// `whole`: the zoom at which everything fits. A pipeline stays as readable as on the canvas for
/// editing; a difference may be smaller, because its marks are readable at any zoom.
double KeptCanvas::leastZoom(double whole) const {
  if (!m_diff) return canvas::kReadable;
  if (whole >= kStillReadable) return kStillReadable;
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

/// The area that a node's mark surrounds. For a region that is only its head, because its members
/// may be unchanged.
QRectF KeptCanvas::markedRect(const NodeId& id, const QRectF& body) const {
  if (m_session->geometry.layout().headed(id) == nullptr) return body;
  const QSizeF head(canvas::kNodeWidth + canvas::kRegionPad, canvas::kRegionHead);
  return {body.topLeft(), head.boundedTo(body.size())};
}

void KeptCanvas::setBars(Qt::ScrollBarPolicy policy) {
  setHorizontalScrollBarPolicy(policy);
  setVerticalScrollBarPolicy(policy);
}

/// Chooses the number of nodes in a row that shows the whole pipeline largest.
void KeptCanvas::putInRows() {
  const CanvasGeometry& geometry = m_session->geometry;
  const Graph& graph = m_session->document.graph();
  constexpr int kMostInRow = 8;
  int best = m_inRow;
  double largest = 0;
  for (int inRow = 1; inRow <= kMostInRow; ++inRow) {
    const QRectF all =
        geometry.layoutOf(geometry.arrangedGraph(graph, RowStyle::close(inRow))).bounds();
    const double zoom =
        std::min(viewport()->width() / all.width(), viewport()->height() / all.height());
    if (zoom > largest) best = inRow;
    largest = std::max(largest, zoom);
  }
  if (best == m_inRow) return;
  m_inRow = best;
  m_session->document.edit("Rows", geometry.arrangedGraph(graph, RowStyle::close(best)));
  setSceneRect(m_scene->contentRect());
}

/// The rows of a pipeline without places, as the canvas for editing wraps them.
void KeptCanvas::wrapRows() {
  constexpr int kBothMargins = 2 * canvas::kFitMargin;
  m_session->geometry.setRoom(viewport()->size() - QSize(kBothMargins, kBothMargins));
  m_session->geometry.wrapToRoom();
  setSceneRect(m_scene->contentRect());
}

/// All changes, or the first of them if not all fit.
void KeptCanvas::showChanges(double zoom) {
  const QRectF changed = changedRect();
  if (changed.isEmpty()) return centerOn(m_scene->contentRect().center());
  centerOn(changed.center());
  const bool all = changed.width() * zoom <= viewport()->width() + 1 &&
                   changed.height() * zoom <= viewport()->height() + 1;
  constexpr int kMargin = 16;
  if (!all)
    ensureVisible(QRectF(changed.topLeft(), QSizeF(canvas::kNodeWidth, canvas::kNodeHeight)),
                  kMargin, kMargin);
}

void KeptCanvas::showBeginning(const QRectF& content, double zoom) {
  const QSizeF seen = QSizeF(viewport()->size()) / zoom;
  QPointF middle = content.center();
  if (content.width() > seen.width()) middle.setX(content.left() + seen.width() / 2);
  if (content.height() > seen.height()) middle.setY(content.top() + seen.height() / 2);
  centerOn(middle);
}

void KeptCanvas::fit() {
  if (m_scene == nullptr || m_fitting || viewport()->width() < 20) return;
  const QScopedValueRollback fitting(m_fitting, true);
  setBars(Qt::ScrollBarAlwaysOff);
  if (m_diff)
    putInRows();
  else
    wrapRows();
  const QRectF content = m_scene->contentRect();
  const double whole =
      std::min(viewport()->width() / content.width(), viewport()->height() / content.height());
  const double zoom = std::clamp(whole, leastZoom(whole), 1.0);
  if (zoom > whole) setBars(Qt::ScrollBarAsNeeded);
  setTransform(QTransform::fromScale(zoom, zoom));
  if (zoom <= whole)
    centerOn(content.center());
  else if (m_diff)
    showChanges(zoom);
  else
    showBeginning(content, zoom);
  m_fitted = true;
}

void KeptCanvas::zoomBy(double factor) {
  const double zoom = std::clamp(transform().m11() * factor, kLeastZoom, kMostZoom);
  setBars(Qt::ScrollBarAsNeeded);
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
             fateLines(node, spec) + (m_nodeText ? m_nodeText(node) : QString());
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
      paintDiffMark(*painter, node, markedRect(node.id(), body->second),
                    m_session->geometry.layout().headed(node.id()) == nullptr
                        ? DiffBody::Node
                        : DiffBody::RegionHead,
                    transform().m11());
  }
}

}  // namespace millrace
