// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The searches that CanvasView opens: kinds to add, nodes to connect to.
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/models/library_model.h"

namespace millrace {

using namespace canvas;

namespace {

/// `whyNot`: why a kind does not fit, as a sentence; empty if it does.
template <class WhyNot>
std::vector<SearchEntry> kindEntries(const Catalog& catalog, const WhyNot& whyNot) {
  std::vector<SearchEntry> entries;
  for (const NodeSpec& spec : catalog.all())
    entries.push_back({toQt(spec.kind),
                       toQt(spec.label),
                       toQt(nameOf(spec.category)),
                       searchTextOf(spec),
                       markIcon(iconOf(spec), spec.category),
                       whyNot(spec),
                       {toQt(spec.kind)}});
  return entries;
}

}  // namespace

void CanvasView::searchAt(QPointF place) {
  m_search->open(
      "Add a node",
      kindEntries(m_session.document.catalog(), [](const NodeSpec&) { return QString(); }),
      viewport()->mapToGlobal(mapFromScene(place)), [this, place](const QString& kind) {
        if (const auto id = m_session.editor.add(fromQt(kind), place)) showNode(*id);
        setFocus();
      });
}

void CanvasView::searchFor(const PortHit& from, QPointF place) {
  const WireRules rules = m_session.editor.rules();
  auto entries = kindEntries(m_session.document.catalog(), [&](const NodeSpec& kind) {
    return from.isOutput ? m_session.editor.whyNotAfter(rules, kind, from.id)
                         : m_session.editor.whyNotBefore(rules, kind, from.id);
  });
  const QPointF corner = place - QPointF(from.isOutput ? 0 : kNodeWidth, kNodeHeight / 2);
  m_search->open(from.isOutput ? "Add what follows" : "Add what comes before", std::move(entries),
                 viewport()->mapToGlobal(mapFromScene(place)),
                 [this, from, corner](const QString& kind) {
                   if (from.isOutput)
                     m_session.editor.addAfter(fromQt(kind), from.id, corner);
                   else
                     m_session.editor.addBefore(fromQt(kind), from.id, corner);
                   setFocus();
                 });
  // The wire that the choice is about stays visible; the popup's end hides it.
  m_scene.showLooseWire(from, place, true);
}

void CanvasView::searchAtPort(const PortHit& port) {
  if (port.isOutput) {
    m_session.selection.set({port.id});
    return searchAfterCurrent();
  }
  const QPointF at = m_scene.portPlace(port);
  for (const GraphWire& wire : m_session.document.graph().wires)
    if (wire.to == port.id) return searchOnWire({wire.from, wire.to}, at);
  searchFor(port, at - QPointF(kGapX, 0));
}

void CanvasView::searchOnWire(const WireKey& wire, QPointF place) {
  const WireRules rules = m_session.editor.rules();
  auto entries = kindEntries(m_session.document.catalog(), [&](const NodeSpec& kind) {
    return kind.role == NodeRole::Consumer ? m_session.editor.whyNotBefore(rules, kind, wire.to)
                                           : m_session.editor.whyNotAfter(rules, kind, wire.from);
  });
  m_search->open("Insert after " + m_session.editor.titleOf(wire.from), std::move(entries),
                 viewport()->mapToGlobal(mapFromScene(place)),
                 [this, wire, place](const QString& kind) {
                   const QPointF corner = place - QPointF(kNodeWidth, kNodeHeight) / 2;
                   m_session.editor.addOnWire(fromQt(kind), wire, corner);
                   setFocus();
                 });
}

void CanvasView::searchAfterCurrent() {
  const NodeId from = m_session.selection.current();
  if (from.empty()) return searchAt(middle());
  const WireRules rules = m_session.editor.rules();
  auto entries = kindEntries(m_session.document.catalog(), [&](const NodeSpec& kind) {
    return m_session.editor.whyNotAfter(rules, kind, from);
  });
  const QPointF below = m_session.geometry.layout().nodes.at(from).bottomLeft();
  m_search->open("Add after " + m_session.editor.titleOf(from), std::move(entries),
                 viewport()->mapToGlobal(mapFromScene(below + QPointF(0, kGrid))),
                 [this, from](const QString& kind) {
                   if (const auto id = m_session.editor.addAfter(fromQt(kind), from)) showNode(*id);
                   setFocus();
                 });
}

void CanvasView::searchTarget() {
  const NodeId from = m_session.selection.current();
  if (from.empty()) return;
  std::vector<SearchEntry> entries;
  for (const PortHit& port : fittingPorts(m_session, {from, true})) {
    const GraphNode* node = m_session.document.graph().node(port.id);
    const NodeDisplay display =
        displayOf(*node, m_session.document.catalog(), m_session.check.result());
    entries.push_back({toQt(port.id),
                       display.title,
                       display.settings,
                       {},
                       display.known ? markIcon(display.icon, display.category) : icon("unknown"),
                       {},
                       {toQt(port.id)}});
  }
  const QPointF below = m_session.geometry.layout().nodes.at(from).bottomLeft();
  m_search->open("Connect " + m_session.editor.titleOf(from) + " to", std::move(entries),
                 viewport()->mapToGlobal(mapFromScene(below + QPointF(0, kGrid))),
                 [this, from](const QString& id) {
                   m_session.editor.connectNodes(from, fromQt(id));
                   setFocus();
                 });
}

}  // namespace millrace
