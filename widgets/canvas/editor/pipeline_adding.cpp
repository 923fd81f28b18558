// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// PipelineEditor's functions that add and insert nodes.
#include <algorithm>
#include <thread>

#include "widgets/bridge/background_check.h"
#include "widgets/canvas/editor/drawn_edit.h"
#include "widgets/canvas/editor/pipeline_editor.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"

namespace millrace {

using namespace canvas;

namespace {

Result<AddedNode> connectedAfter(AddedNode added, const Catalog& catalog, const NodeId& from,
                                 const std::optional<NodeId>& next) {
  Result<Graph> led = connectReplacing(added.graph, catalog, from, added.id);
  if (!led) return led.error();
  added.graph = led.take();
  if (!next) return added;
  Result<Graph> on = connectNodes(added.graph, catalog, added.id, *next);
  if (on) added.graph = on.take();
  return added;
}

}  // namespace

std::optional<NodeId> PipelineEditor::finishAdd(const QString& text, Result<AddedNode> added) {
  if (!added) {
    emit m_document.refused(sentence(added.error().message));
    return std::nullopt;
  }
  NodeId id = added->id;
  const GraphNode* node = added->graph.node(id);
  const QString name = millrace::titleOf(*node, m_document.catalog().find(node->kind));
  m_document.edit(text.arg(name), m_geometry.settled(std::move(added->graph)));
  m_selection.set({id});
  return id;
}

QPointF PipelineEditor::uncovered(QPointF wanted) const {
  QPointF place = snapped(wanted);
  const auto& nodes = m_geometry.layout().nodes;
  const auto covered = [&] {
    const QRectF body(place, QSizeF(kNodeWidth, kNodeHeight));
    return std::ranges::find_if(nodes,
                                [&](const auto& node) { return node.second.intersects(body); });
  };
  // Terminates: each step moves past one node.
  for (auto node = covered(); node != nodes.end(); node = covered())
    place.setX(snapped({node->second.right() + kGapX, 0}).x());
  return place;
}

Result<AddedNode> PipelineEditor::newNode(const std::string& kind, QPointF place) const {
  Result<AddedNode> added =
      addNodeAt(m_document.graph(), m_document.catalog(), kind, snapped(place));
  if (!added) return added;
  return withinCores(added.take(), m_document.catalog(),
                     std::max(1U, std::thread::hardware_concurrency()));
}

std::optional<NodeId> PipelineEditor::add(const std::string& kind, std::optional<QPointF> place) {
  const NodeSpec* spec = m_document.catalog().find(kind);
  if (spec != nullptr && spec->role == NodeRole::Choice && !m_selection.nodes().empty())
    return chooseAmong(*spec, m_selection.nodes());
  const QRectF bounds = m_geometry.layout().bounds();
  const QPointF below(0, bounds.isNull() ? 0 : bounds.bottom() + kGapY);
  const QPointF free = place
                           ? uncovered(*place)
                           : freePlace(m_geometry.layout(), below, QSizeF(kNodeWidth, kNodeHeight));
  return finishAdd("Add %1", newNode(kind, free));
}

void PipelineEditor::chooseAmongSelected() {
  const std::vector<NodeSpec>& kinds = m_document.catalog().all();
  const auto kind = std::ranges::find(kinds, NodeRole::Choice, &NodeSpec::role);
  if (kind != kinds.end() && !m_selection.nodes().empty()) chooseAmong(*kind, m_selection.nodes());
}

std::optional<NodeId> PipelineEditor::chooseAmong(const NodeSpec& kind, std::vector<NodeId> nodes) {
  // In the order of the pipeline, where its streams are known.
  const auto& streams = m_check.result().streams;
  std::ranges::stable_sort(nodes, {}, [&](const NodeId& id) {
    return std::ranges::find(streams, id, &NodeStream::id) - streams.begin();
  });
  Result<AddedNode> added =
      newNode(kind.kind, m_geometry.layout().nodes.at(nodes.front()).topLeft());
  if (added)
    for (const ParamSpec& param : kind.params)
      if (param.isNodes) added->graph.node(added->id)->params[param.name] = Value{nodes};
  return finishAdd("Add %1", std::move(added));
}

Graph PipelineEditor::withRoomAfter(Graph graph, const NodeId& from, const NodeId& added) const {
  const CanvasLayout& now = m_geometry.layout();
  const RegionShape* head = now.headed(from);
  const QRectF body = now.nodes.at(from);
  const std::optional<NodeId> next = nodeAfter(m_document.graph(), from);
  const double step = kNodeWidth + kGapX;
  QPointF place(body.right() + kGapX, body.top());
  if (head != nullptr && next) place = now.nodes.at(*next).topLeft();
  const QRectF wanted(place, QSizeF(kNodeWidth + kGapX - kGrid, kNodeHeight));
  // The node in that place and those to its right in the same row move over, provided that they are
  // further along the chain. Next to any other node, the new one gets a place below.
  NodePlaces pushed;
  std::optional<NodeId> after = next;
  for (QRectF edge = wanted; after; after = nodeAfter(m_document.graph(), *after)) {
    if (now.headed(*after) != nullptr) break;
    const QRectF other = now.nodes.at(*after);
    if (!other.intersects(edge)) break;
    pushed[*after] = other.topLeft() + QPointF(step, 0);
    edge = other.translated(step, 0).adjusted(0, 0, kGapX - kGrid, 0);
  }
  CanvasLayout others = now;
  for (const auto& [id, to] : pushed) others.nodes.erase(id);
  others.nodes.erase(added);
  const bool inside = now.around(from) != nullptr || head != nullptr;
  if (!inside || pushed.empty()) place = freePlace(others, place, QSizeF(kNodeWidth, kNodeHeight));
  setPlace(*graph.node(added), snapped(place));
  return moved(std::move(graph), pushed);
}

Graph PipelineEditor::placedOnWire(Graph graph, const NodeId& from, const NodeId& node,
                                   QPointF place) const {
  const QRectF wanted(place, QSizeF(kNodeWidth, kNodeHeight));
  const bool covers = std::ranges::any_of(m_geometry.layout().nodes, [&](const auto& other) {
    return other.first != node && other.second.intersects(wanted);
  });
  if (covers) return withRoomAfter(std::move(graph), from, node);
  return moved(std::move(graph), {{node, snapped(place)}});
}

std::optional<NodeId> PipelineEditor::addAfter(const std::string& kind, const NodeId& from,
                                               std::optional<QPointF> place) {
  const NodeSpec* spec = m_document.catalog().find(kind);
  if (spec == nullptr || m_document.graph().node(from) == nullptr) return std::nullopt;
  if (const Status fits = rules().mayFollow(from, *spec); !fits) {
    emit m_document.refused(cannotFollow(toQt(spec->label), from, fits.error()));
    return std::nullopt;
  }
  const std::optional<NodeId> next = nodeAfter(m_document.graph(), from);
  Result<AddedNode> added = newNode(kind, place.value_or(QPointF()));
  const Result<std::string> field = rules().fieldFor(from, *spec);
  if (added && field) added = actingOn(added.take(), *field);
  if (added) added = connectedAfter(added.take(), m_document.catalog(), from, next);
  if (added && !place)
    added->graph = drawn(m_geometry, added->graph, [&](Graph graph) {
      return withRoomAfter(std::move(graph), from, added->id);
    });
  return finishAdd("Add %1 after " + titleOf(from), std::move(added));
}

QString PipelineEditor::whyNotAfter(const WireRules& rules, const NodeSpec& kind,
                                    const NodeId& from) const {
  if (const Status fits = rules.mayFollow(from, kind); !fits)
    return cannotFollow(toQt(kind.label), from, fits.error());
  const Result<std::string> field = rules.fieldFor(from, kind);
  return field ? QString() : cannotFollow(toQt(kind.label), from, field.error());
}

QString PipelineEditor::whyNotBefore(const WireRules& rules, const NodeSpec& kind,
                                     const NodeId& to) const {
  const Status fits = rules.mayPrecede(kind, to);
  if (fits) return {};
  return QString("%1 cannot come before %2: %3.")
      .arg(toQt(kind.label), titleOf(to), reason(fits.error()));
}

/// `added` with its parameter for a field set to `field`; empty: by default.
AddedNode PipelineEditor::actingOn(AddedNode added, const std::string& field) const {
  if (field.empty()) return added;
  Result<Graph> set =
      millrace::setParameter(added.graph, m_document.catalog(), added.id, "field", Value{field});
  if (set) added.graph = set.take();
  return added;
}

std::optional<NodeId> PipelineEditor::addBefore(const std::string& kind, const NodeId& to,
                                                QPointF place) {
  Result<AddedNode> added = newNode(kind, place);
  if (added) {
    Result<Graph> led = connectReplacing(added->graph, m_document.catalog(), added->id, to);
    if (led)
      added->graph = led.take();
    else
      added = led.error();
  }
  return finishAdd("Add %1 before " + titleOf(to), std::move(added));
}

std::optional<NodeId> PipelineEditor::addOnWire(const std::string& kind, const WireKey& wire,
                                                QPointF place) {
  const NodeSpec* spec = m_document.catalog().find(kind);
  const Status fits = spec == nullptr ? Status() : rules().mayFollow(wire.from, *spec);
  if (!fits) {
    emit m_document.refused(sentence(fits.error().message));
    return std::nullopt;
  }
  Result<AddedNode> added = newNode(kind, place);
  if (added) {
    Result<Graph> in = insertOnWire(added->graph, m_document.catalog(), added->id, wire);
    if (in)
      added->graph = drawn(m_geometry, in.take(), [&](Graph graph) {
        return placedOnWire(std::move(graph), wire.from, added->id, place);
      });
    else
      added = in.error();
  }
  return finishAdd("Add %1 after " + titleOf(wire.from), std::move(added));
}

bool PipelineEditor::insert(const NodeId& id, const WireKey& wire, QPointF place) {
  if (!allowed(wire.from, id)) return false;
  Result<Graph> after = insertOnWire(m_document.graph(), m_document.catalog(), id, wire);
  if (after)
    after = drawn(m_geometry, after.take(), [&](Graph graph) {
      return placedOnWire(std::move(graph), wire.from, id, place);
    });
  return m_document.tryEdit(
      QString("Put %1 between %2 and %3").arg(titleOf(id), titleOf(wire.from), titleOf(wire.to)),
      std::move(after));
}

bool PipelineEditor::insertAfter(const NodeId& id, const NodeId& from) {
  if (const auto next = nodeAfter(m_document.graph(), from))
    return insert(id, {from, *next}, m_geometry.layout().nodes.at(from).topLeft());
  if (!allowed(from, id)) return false;
  Result<Graph> after = connectReplacing(m_document.graph(), m_document.catalog(), from, id);
  if (after)
    after = drawn(m_geometry, after.take(),
                  [&](Graph graph) { return withRoomAfter(std::move(graph), from, id); });
  return m_document.tryEdit(QString("Connect %1 to %2").arg(titleOf(from), titleOf(id)),
                            std::move(after));
}

}  // namespace millrace
