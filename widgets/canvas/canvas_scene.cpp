// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_scene.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QPainter>

#include "widgets/bridge/background_check.h"
#include "widgets/canvas/layout/canvas_geometry.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/document.h"
#include "widgets/models/notes.h"
#include "widgets/models/problem_words.h"
#include "widgets/models/selection.h"

namespace millrace {

using namespace canvas;

CanvasScene::CanvasScene(Document& document, Selection& selection, BackgroundCheck& check,
                         CanvasGeometry& geometry)
    : QGraphicsScene(&document),
      m_document(document),
      m_selection(selection),
      m_check(check),
      m_geometry(geometry),
      m_looseWire(std::make_unique<LooseWireItem>()) {
  setItemIndexMethod(NoIndex);  // A few hundred items that often move: a linear search is faster.
  addItem(m_looseWire.get());
  m_looseWire->setZValue(4);
  m_looseWire->hide();
  connect(&geometry, &CanvasGeometry::changed, this, &CanvasScene::sync);
  connect(&check, &BackgroundCheck::finished, this, &CanvasScene::sync);
  connect(&selection, &Selection::changed, this, &CanvasScene::showStyles);
  sync();
}

CanvasScene::~CanvasScene() = default;

void CanvasScene::sync() {
  syncNodes();
  syncWires();
  syncNotes();
  applyRun();
  showStyles();
  // Even at the smallest zoom any point can be scrolled to any place in the view.
  const double margin = 20000;
  setSceneRect(contentRect().adjusted(-margin, -margin, margin, margin));
}

QRectF CanvasScene::contentRect() const {
  QRectF bounds = m_geometry.layout().bounds();
  for (const WireShape& wire : m_geometry.layout().wires) bounds |= wire.path.boundingRect();
  for (const auto& [i, item] : m_comments) bounds |= item->box();
  for (const auto& [i, item] : m_groups) bounds |= item->boundingRect();
  if (bounds.isNull()) return {0, 0, 800, 500};
  return bounds.adjusted(-kStub, -kStub, kStub, kStrip + kStub);
}

namespace {

/// Removes the items of `items` that `wanted` lacks.
template <class Items, class Wanted>
void dropOthers(QGraphicsScene& scene, Items& items, const Wanted& wanted) {
  for (auto item = items.begin(); item != items.end();) {
    if (wanted.contains(item->first)) {
      ++item;
      continue;
    }
    scene.removeItem(item->second.get());
    item = items.erase(item);
  }
}

template <class Item, class Key>
Item& itemOf(QGraphicsScene& scene, std::map<Key, std::unique_ptr<Item>>& items, const Key& key,
             double z) {
  std::unique_ptr<Item>& item = items[key];
  if (!item) {
    item = std::make_unique<Item>();
    item->setZValue(z);
    scene.addItem(item.get());
  }
  return *item;
}

}  // namespace

void CanvasScene::syncNodes() {
  const CanvasLayout& layout = m_geometry.layout();
  std::set<NodeId> bodies;
  std::set<NodeId> heads;
  std::set<NodeId> choices;
  for (const GraphNode& node : m_document.graph().nodes) {
    const NodeDisplay display = displayOf(node, m_document.catalog(), m_check.result());
    const RegionShape* shape = layout.headed(node.id);
    if (const ChoiceShape* choice = layout.choosing(node.id)) {
      choices.insert(node.id);
      itemOf(*this, m_choices, node.id, 0.5).show(display, *choice);
      continue;
    }
    if (shape == nullptr) {
      bodies.insert(node.id);
      itemOf(*this, m_nodes, node.id, 2).show(display, layout.nodes.at(node.id));
      continue;
    }
    heads.insert(node.id);
    const StreamType* out = m_check.streamAfter(shape->region.members.back());
    const GraphNode* last = m_document.graph().node(shape->region.members.back());
    const QString ends = "ends at " + titleOf(*last, m_document.specOf(last->id));
    itemOf(*this, m_regions, node.id, 0)
        .show(display, *shape, out == nullptr ? Level::Sample : out->level, ends);
  }
  dropOthers(*this, m_nodes, bodies);
  dropOthers(*this, m_regions, heads);
  dropOthers(*this, m_choices, choices);
}

void CanvasScene::syncWires() {
  std::set<WireKey> keys;
  for (const WireShape& shape : m_geometry.layout().wires) {
    keys.insert(shape.key);
    WireItem& item = itemOf(*this, m_wires, shape.key, 1);
    item.show(wireFaceOf(shape.key), shape);
    item.setLabelled(m_streamsShown);
  }
  dropOthers(*this, m_wires, keys);
}

void CanvasScene::syncNotes() {
  const Graph& graph = m_document.graph();
  std::set<std::size_t> comments;
  for (std::size_t i = 0; i < graph.comments.size(); ++i)
    if (const auto comment = commentOf(graph.comments[i])) {
      comments.insert(i);
      itemOf(*this, m_comments, i, 3).show(*comment);
    }
  dropOthers(*this, m_comments, comments);
  std::set<std::size_t> groups;
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    const auto group = groupOf(graph.groups[i], graph);
    if (!group) continue;
    QRectF frame;
    for (const NodeId& id : group->nodes) {
      const RegionShape* region = m_geometry.layout().headed(id);
      frame |= region == nullptr ? m_geometry.layout().nodes.at(id) : region->frame;
    }
    groups.insert(i);
    // The room below the nodes holds the live strips, which would cover the title.
    const QRectF above =
        frame.adjusted(-kGroupPad, -kGroupPad - kGroupHead, kGroupPad, kStrip + kGrid);
    const QRectF title(above.topLeft(), QSizeF(above.width(), kGroupHead));
    const auto& regions = m_geometry.layout().regions;
    const bool below = std::ranges::any_of(
        regions, [&](const RegionShape& region) { return region.head().intersects(title); });
    itemOf(*this, m_groups, i, 0.5)
        .show(
            group->title,
            below ? frame.adjusted(-kGroupPad, -kGroupPad, kGroupPad, kStrip + kGroupHead) : above,
            below);
  }
  dropOthers(*this, m_groups, groups);
}

std::optional<std::size_t> CanvasScene::commentAt(QPointF at) const {
  for (const auto& [i, item] : m_comments)
    if (item->box().contains(at)) return i;
  return std::nullopt;
}

std::optional<std::size_t> CanvasScene::groupAt(QPointF at) const {
  for (const auto& [i, item] : m_groups)
    if (item->head().contains(at)) return i;
  return std::nullopt;
}

QRectF CanvasScene::freeForComment(QPointF near) const {
  const QSizeF size = commentSize({});
  CanvasLayout taken = m_geometry.layout();
  for (const auto& [i, item] : m_comments)
    taken.nodes["comment " + std::to_string(i)] = item->box();
  return {freeNotePlace(taken, near, size), size};
}

void CanvasScene::showCommentAt(std::size_t i, QPointF place) {
  const auto comment = commentOf(m_document.graph().comments[i]);
  if (comment) m_comments.at(i)->show({comment->text, place});
}

WireDisplay CanvasScene::wireFaceOf(const WireKey& key) const {
  WireDisplay display;
  const GraphNode* from = m_document.graph().node(key.from);
  const NodeDisplay begin = displayOf(*from, m_document.catalog(), CheckResult{});
  display.level = begin.outLevel;
  display.queue = begin.queue;
  if (const StreamType* stream = m_check.streamAfter(key.from)) {
    display.level = stream->level;
    display.place = stream->place;
    display.stream = shownStream(*stream);
  }
  return display;
}

NodeStyle CanvasScene::styleOf(const NodeId& id) const {
  NodeStyle style;
  style.selected = m_selection.contains(id);
  style.hovered = m_marks.hovered == id;
  if (m_marks.hoveredPort && m_marks.hoveredPort->id == id)
    (m_marks.hoveredPort->isOutput ? style.outHovered : style.inHovered) = true;
  if (m_marks.fitting) {
    style.dimmed = true;
    for (const PortHit& port : *m_marks.fitting)
      if (port.id == id) {
        style.dimmed = false;
        (port.isOutput ? style.outFits : style.inFits) = true;
      }
  }
  return style;
}

void CanvasScene::showStyles() {
  for (auto& [id, item] : m_nodes) item->setStyle(styleOf(id));
  for (auto& [id, item] : m_regions) item->setStyle(styleOf(id));
  for (auto& [id, item] : m_choices) item->setStyle(styleOf(id));
  for (auto& [i, item] : m_comments) item->setSelected(m_selection.comment() == i);
  for (auto& [key, item] : m_wires) {
    WireStyle style = WireStyle::Plain;
    if (m_marks.hoveredWire == key) style = WireStyle::Hovered;
    if (m_selection.wire() == key) style = WireStyle::Selected;
    if (m_marks.targetWire == key) style = WireStyle::Target;
    item->setStyle(style);
  }
}

void CanvasScene::showRun(const RunOverlay& overlay) {
  if (overlay == m_run) return;
  m_run = overlay;
  applyRun();
}

void CanvasScene::applyRun() {
  const OverlayState state{m_run.over, m_run.label};
  const auto find = [](const auto& map, const NodeId& id) {
    const auto found = map.find(id);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  };
  for (auto& [id, item] : m_nodes)
    item->setRun(find(m_run.nodes, id), state, m_run.edited.contains(id));
  for (auto& [id, item] : m_regions)
    item->setRun(find(m_run.regions, id), state, m_run.edited.contains(id));
  for (auto& [key, item] : m_wires) item->setRun(find(m_run.queues, key.from), state);
  const Graph& graph = m_document.graph();
  for (auto& [i, item] : m_groups) {
    const auto group = i < graph.groups.size() ? groupOf(graph.groups[i], graph) : std::nullopt;
    const double ms = group ? wallClockMs(m_run, group->nodes) : -1;
    item->setRun(ms < 0 ? QString() : shownMs(ms), state.over);
  }
}

void CanvasScene::setMarks(const Marks& marks) {
  if (marks == m_marks) return;
  m_marks = marks;
  showStyles();
}

void CanvasScene::showLooseWire(const PortHit& from, QPointF at, bool fits) {
  const QPointF port = portPlace(from);
  const CanvasLayout& layout = m_geometry.layout();
  m_looseWire->show(from.isOutput ? layout.loosePath(port, at) : layout.loosePath(at, port), at,
                    fits);
  m_looseWire->setVisible(true);
}

void CanvasScene::hideLooseWire() { m_looseWire->setVisible(false); }

bool CanvasScene::isLooseWireShown() const { return m_looseWire->isVisible(); }

void CanvasScene::showBand(const QRectF& band) {
  m_band = band;
  update();
}

void CanvasScene::setStreamsShown(bool shown) {
  m_streamsShown = shown;
  for (auto& [key, item] : m_wires) item->setLabelled(shown);
  update();
}

std::optional<NodeId> CanvasScene::nodeAt(QPointF at) const {
  const CanvasLayout& layout = m_geometry.layout();
  std::optional<NodeId> head;
  for (const auto& [id, body] : layout.nodes) {
    const bool isHead = layout.isFrame(id);
    const double figures = !isHead && m_run.nodes.contains(id) ? kStrip : 0;
    if (!body.adjusted(0, 0, 0, figures).contains(at)) continue;
    if (!isHead) return id;
    head = id;
  }
  return head;
}

QPointF CanvasScene::portPlace(const PortHit& port) const {
  const CanvasLayout& layout = m_geometry.layout();
  return port.isOutput ? layout.outPort(port.id) : layout.inPort(port.id);
}

std::optional<PortHit> CanvasScene::portAt(QPointF at, double reach,
                                           std::optional<bool> wantOutput) const {
  std::optional<PortHit> nearest;
  double least = reach;
  const auto consider = [&](const PortHit& port, QPointF place) {
    const double distance = std::hypot(place.x() - at.x(), place.y() - at.y());
    if (distance > least) return;
    least = distance;
    nearest = port;
  };
  const CanvasLayout& layout = m_geometry.layout();
  for (const auto& [id, item] : m_nodes) {
    if (item->display().hasInput && wantOutput != true) consider({id, false}, layout.inPort(id));
    if (item->display().hasOutput && wantOutput != false) consider({id, true}, layout.outPort(id));
  }
  for (const RegionShape& shape : layout.regions) {
    if (wantOutput != true) consider({shape.region.head, false}, shape.in);
    if (wantOutput != false) consider({shape.region.members.back(), true}, shape.out);
  }
  return nearest;
}

std::optional<WireKey> CanvasScene::wireAt(QPointF at, double reach) const {
  const QRectF box(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
  for (const WireShape& wire : m_geometry.layout().wires) {
    if (!wire.path.boundingRect().adjusted(-1, -1, 1, 1).intersects(box)) continue;
    QPainterPathStroker stroker;
    stroker.setWidth(2 * reach);
    if (stroker.createStroke(wire.path).contains(at)) return wire.key;
  }
  return std::nullopt;
}

std::vector<NodeId> CanvasScene::nodesIn(const QRectF& area) const {
  std::vector<NodeId> ids;
  const CanvasLayout& layout = m_geometry.layout();
  for (const auto& [id, body] : layout.nodes) {
    const RegionShape* region = layout.headed(id);
    if (region == nullptr ? area.intersects(body) : area.contains(region->frame)) ids.push_back(id);
  }
  return ids;
}

QString CanvasScene::toolTipAt(QPointF at, double reach) const {
  if (const auto id = nodeAt(at)) {
    const GraphNode* node = m_document.graph().node(*id);
    const NodeSpec* spec = m_document.specOf(*id);
    const NodeDisplay display = displayOf(*node, m_document.catalog(), m_check.result());
    QString text = QString("<b>%1</b> <code>%2</code>").arg(display.title, toQt(*id));
    if (const auto ran = m_run.nodes.find(*id); ran != m_run.nodes.end())
      text += "<p>" + (m_run.over ? m_run.label.toLower() : QString("now")).toHtmlEscaped() + ": " +
              ran->second.details.toHtmlEscaped() + "</p>";
    if (spec != nullptr) text += "<p>" + richSentence(spec->help) + "</p>";
    for (const Problem& each : m_check.result().problems.all()) {
      if (each.node != *id) continue;
      const Problem problem = withTitles(each, m_document);
      text +=
          QString("<p>%1 %2</p>").arg(richSentence(problem.message), richSentence(problem.remedy));
    }
    return text;
  }
  if (const auto key = wireAt(at, reach)) {
    const StreamType* stream = m_check.streamAfter(key->from);
    if (stream == nullptr) return "The stream on this wire is not known yet.";
    QString text =
        QString("<b>%1 · %2</b><table>")
            .arg(stream->level == Level::Batch ? "batch of " + shownNumber(stream->batchSize)
                                               : QString("sample"),
                 toQt(nameOf(stream->place)));
    for (const FieldSpec& field : stream->fields)
      text += QString("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                  .arg(toQt(field.name).toHtmlEscaped(), shownField(field));
    return text + "</table>";
  }
  return {};
}

void CanvasScene::drawBackground(QPainter* painter, const QRectF& rect) {
  painter->fillRect(rect, theme()[Tone::Canvas]);
  if (painter->worldTransform().m11() < 0.5) return;
  QList<QPointF> dots;
  const double left = std::floor(rect.left() / kDotGrid) * kDotGrid;
  const double top = std::floor(rect.top() / kDotGrid) * kDotGrid;
  for (double x = left; x < rect.right(); x += kDotGrid)
    for (double y = top; y < rect.bottom(); y += kDotGrid) dots.append({x, y});
  painter->setPen(QPen(theme()[Tone::Grid], 1.5));
  painter->drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void CanvasScene::drawForeground(QPainter* painter, const QRectF& rect) {
  paintDropHint(*painter, m_marks.hint, m_marks.hintAt, rect);
  if (m_band.isNull()) return;
  QColor fill = theme()[Tone::Accent];
  painter->setPen(QPen(fill, 0));
  fill.setAlphaF(0.1F);
  painter->setBrush(fill);
  painter->drawRect(m_band);
}

}  // namespace millrace
