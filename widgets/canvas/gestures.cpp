// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/gestures.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/strings.h"
#include "widgets/models/notes.h"

namespace millrace {

using namespace canvas;

namespace {

bool hangsLoose(const Graph& graph, const NodeId& id) {
  return std::ranges::none_of(
      graph.wires, [&](const GraphWire& wire) { return wire.from == id || wire.to == id; });
}

class MoveGesture final : public Gesture {
 public:
  MoveGesture(EditSession& session, CanvasScene& scene, const NodeId& held, QPointF start)
      : m_session(session), m_scene(scene), m_held(held), m_start(start) {
    for (const NodeId& id : session.selection.nodes()) take(id);
    take(held);
    m_mayInsert = m_begin.size() == 1 && hangsLoose(session.document.graph(), held);
  }

  void move(QPointF at, double scale) override {
    const QPointF from = m_begin.at(m_held);
    const QPointF by = snapped(from + at - m_start) - from;
    m_places.clear();
    for (const auto& [id, place] : m_begin) m_places[id] = place + by;
    CanvasScene::Marks marks;
    marks.hovered = m_held;
    m_target = m_mayInsert ? bodyUnder(at) : std::nullopt;
    if (m_mayInsert && !m_target) marks.targetWire = wireUnder(at, scale);
    if (m_target) {
      marks.hovered = m_target;
      marks.hint = marks.hovered == m_scene.marks().hovered
                       ? m_scene.marks().hint
                       : dropHint(m_session, *m_target, m_held);
      marks.hintAt = at;
    }
    if (marks.targetWire) {
      // The hint for a wire stays valid while the cursor stays on it.
      marks.hint = marks.targetWire == m_scene.marks().targetWire
                       ? m_scene.marks().hint
                       : dropHint(m_session, *marks.targetWire, m_held);
      marks.hintAt = at;
    }
    m_session.geometry.show(m_places);
    m_scene.setMarks(marks);
  }

  void finish(QPointF) override {
    const auto wire = m_scene.marks().targetWire;
    const auto target = m_scene.marks().hint.goesIn ? m_target : std::nullopt;
    const NodePlaces places = m_places;
    cancel();
    if (places.empty() || places == m_begin) return;
    if (target)
      m_session.editor.insertAfter(m_held, *target);
    else if (wire)
      m_session.editor.insert(m_held, *wire, places.at(m_held));
    else
      m_session.editor.move(places);
  }

  void cancel() override {
    m_session.geometry.show({});
    m_scene.setMarks({});
  }

 private:
  void take(const NodeId& id) {
    const NodePlaces& places = m_session.geometry.places();
    const auto place = places.find(id);
    if (place == places.end()) return;
    m_begin.insert(*place);
    for (const NodeId& member : m_session.geometry.layout().framed(id))
      m_begin[member] = places.at(member);
  }

  std::optional<NodeId> bodyUnder(QPointF at) const {
    const CanvasLayout& layout = m_session.geometry.layout();
    for (const auto& [id, body] : layout.nodes)
      if (id != m_held && body.contains(at) && !layout.isFrame(id)) return id;
    return std::nullopt;
  }

  std::optional<WireKey> wireUnder(QPointF at, double scale) const {
    const double reach = kWireReach / scale;
    if (const auto wire = m_scene.wireAt(at, reach)) return wire;
    const auto body = m_session.geometry.layout().nodes.find(m_held);
    return body == m_session.geometry.layout().nodes.end()
               ? std::nullopt
               : m_scene.wireAt(body->second.center(), kNodeHeight / 3);
  }

  EditSession& m_session;
  CanvasScene& m_scene;
  NodeId m_held;
  QPointF m_start;
  bool m_mayInsert = false;
  std::optional<NodeId> m_target;  ///< the node under the cursor, after which it may go
  NodePlaces m_begin;
  NodePlaces m_places;
};

class WireGesture final : public Gesture {
 public:
  WireGesture(EditSession& session, CanvasScene& scene, const PortHit& from,
              std::function<void(PortHit, QPointF)> released)
      : m_session(session),
        m_scene(scene),
        m_from(from),
        m_released(std::move(released)),
        m_fitting(fittingPorts(session, from)) {}

  void move(QPointF at, double scale) override {
    m_target = targetAt(at, scale);
    CanvasScene::Marks marks;
    marks.fitting = m_fitting;
    marks.fitting->push_back(m_from);
    marks.hoveredPort = m_target;
    const bool fits = m_target && isFitting(*m_target);
    m_scene.setMarks(marks);
    m_scene.showLooseWire(m_from, m_target ? m_scene.portPlace(*m_target) : at, fits);
  }

  void finish(QPointF at) override {
    const auto target = m_target;
    cancel();
    if (!target) {
      if (const auto node = m_scene.nodeAt(at))
        refuse(*node);
      else
        m_released(m_from, at);
      return;
    }
    // A wire that does not fit is tried, too, so that the user learns why it is refused.
    if (m_from.isOutput)
      m_session.editor.connectNodes(m_from.id, target->id);
    else
      m_session.editor.connectNodes(target->id, m_from.id);
  }

  void cancel() override {
    m_scene.hideLooseWire();
    m_scene.setMarks({});
  }

 private:
  bool isFitting(const PortHit& port) const {
    return std::ranges::find(m_fitting, port) != m_fitting.end();
  }

  /// The cursor is over a node whose port is already connected. Dropping on the node itself must
  /// not replace that wire by accident.
  void refuse(const NodeId& node) {
    if (node == m_from.id) return;
    emit m_session.document.refused(
        QString("The %1 of %2 is already connected. Drop on the port itself "
                "to replace that wire.")
            .arg(m_from.isOutput ? "input" : "output", m_session.editor.titleOf(node)));
  }

  bool isFree(const PortHit& port) const {
    return std::ranges::none_of(m_session.document.graph().wires, [&](const GraphWire& wire) {
      return (port.isOutput ? wire.from : wire.to) == port.id;
    });
  }

  /// The nearest port within reach, fitting ones first; otherwise the only port of the node under
  /// the cursor, provided that it is free.
  std::optional<PortHit> targetAt(QPointF at, double scale) const {
    const double reach = kSnap / scale;
    std::optional<PortHit> nearest;
    double least = reach;
    for (const PortHit& port : m_fitting) {
      const QPointF way = m_scene.portPlace(port) - at;
      const double distance = std::hypot(way.x(), way.y());
      if (distance > least) continue;
      least = distance;
      nearest = port;
    }
    if (!nearest) nearest = m_scene.portAt(at, reach, !m_from.isOutput);
    if (!nearest)
      if (const auto node = m_scene.nodeAt(at); node && isFree({*node, !m_from.isOutput}))
        nearest = PortHit{*node, !m_from.isOutput};
    if (nearest && nearest->id == m_from.id) return std::nullopt;
    return nearest;
  }

  EditSession& m_session;
  CanvasScene& m_scene;
  PortHit m_from;
  std::function<void(PortHit, QPointF)> m_released;
  std::vector<PortHit> m_fitting;
  std::optional<PortHit> m_target;
};

class CommentGesture final : public Gesture {
 public:
  CommentGesture(EditSession& session, CanvasScene& scene, std::size_t i, QPointF start)
      : m_session(session), m_scene(scene), m_i(i), m_start(start) {
    m_begin = commentOf(session.document.graph().comments[i]).value_or(Comment{});
  }

  void move(QPointF at, double) override { m_scene.showCommentAt(m_i, placeFor(at)); }
  void finish(QPointF at) override {
    m_session.editor.setComment(m_i, {m_begin.text, placeFor(at)});
  }
  void cancel() override { m_scene.showCommentAt(m_i, m_begin.place); }

 private:
  QPointF placeFor(QPointF at) const { return snapped(m_begin.place + at - m_start); }

  EditSession& m_session;
  CanvasScene& m_scene;
  std::size_t m_i;
  QPointF m_start;
  Comment m_begin;
};

class BandGesture final : public Gesture {
 public:
  BandGesture(EditSession& session, CanvasScene& scene, QPointF start, bool keep)
      : m_session(session), m_scene(scene), m_start(start) {
    if (keep) m_kept = session.selection.nodes();
  }

  void move(QPointF at, double) override {
    const QRectF band = QRectF(m_start, at).normalized();
    m_scene.showBand(band);
    std::vector<NodeId> nodes = m_kept;
    for (const NodeId& id : m_scene.nodesIn(band))
      if (std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
    m_session.selection.set(std::move(nodes));
  }
  void finish(QPointF) override { m_scene.showBand({}); }
  void cancel() override {
    m_scene.showBand({});
    m_session.selection.set(m_kept);
  }

 private:
  EditSession& m_session;
  CanvasScene& m_scene;
  QPointF m_start;
  std::vector<NodeId> m_kept;
};

}  // namespace

std::vector<PortHit> fittingPorts(const EditSession& session, const PortHit& from) {
  std::vector<PortHit> fitting;
  const WireRules rules = session.editor.rules();
  for (const GraphNode& node : session.document.graph().nodes) {
    const Status may =
        from.isOutput ? rules.mayLead(from.id, node.id) : rules.mayLead(node.id, from.id);
    if (may) fitting.push_back({node.id, !from.isOutput});
  }
  return fitting;
}

std::unique_ptr<Gesture> moveGesture(EditSession& session, CanvasScene& scene, const NodeId& held,
                                     QPointF start) {
  return std::make_unique<MoveGesture>(session, scene, held, start);
}

std::unique_ptr<Gesture> wireGesture(EditSession& session, CanvasScene& scene, const PortHit& from,
                                     std::function<void(PortHit, QPointF)> released) {
  return std::make_unique<WireGesture>(session, scene, from, std::move(released));
}

std::unique_ptr<Gesture> commentGesture(EditSession& session, CanvasScene& scene, std::size_t i,
                                        QPointF start) {
  return std::make_unique<CommentGesture>(session, scene, i, start);
}

std::unique_ptr<Gesture> bandGesture(EditSession& session, CanvasScene& scene, QPointF start,
                                     bool keep) {
  return std::make_unique<BandGesture>(session, scene, start, keep);
}

}  // namespace millrace
