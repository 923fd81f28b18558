// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The searches that CanvasView opens: kinds to add, nodes to connect to.
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/edit_session.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/models/library_model.h"

namespace millrace {

using namespace canvas;

namespace {

template <class Fits>
std::vector<SearchEntry> kindEntries(const Catalog& catalog, const Fits& fits) {
  std::vector<SearchEntry> entries;
  for (const NodeSpec& spec : catalog.all()) {
    if (!fits(spec)) continue;
    entries.push_back({toQt(spec.kind), toQt(spec.label), toQt(nameOf(spec.category)),
                       searchTextOf(spec), markIcon(iconOf(spec), spec.category)});
  }
  return entries;
}

}  // namespace

void CanvasView::searchAt(QPointF place) {
  m_search->open("Add a node",
                 kindEntries(m_session.document.catalog(), [](const NodeSpec&) { return true; }),
                 viewport()->mapToGlobal(mapFromScene(place)), [this, place](const QString& kind) {
                   if (const auto id = m_session.editor.add(fromQt(kind), place)) showNode(*id);
                   setFocus();
                 });
}

void CanvasView::searchFor(const PortHit& from, QPointF place) {
  const WireRules rules = m_session.editor.rules();
  auto entries = kindEntries(m_session.document.catalog(), [&](const NodeSpec& kind) {
    return from.isOutput ? rules.mayFollow(from.id, kind).ok()
                         : rules.mayPrecede(kind, from.id).ok();
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
}

void CanvasView::searchAfterCurrent() {
  const NodeId from = m_session.selection.current();
  if (from.empty()) return searchAt(middle());
  const WireRules rules = m_session.editor.rules();
  auto entries = kindEntries(m_session.document.catalog(), [&](const NodeSpec& kind) {
    return rules.mayFollow(from, kind).ok();
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
    entries.push_back({toQt(port.id), display.title, display.settings,
                       (display.title + ' ' + toQt(port.id)).toLower(),
                       display.known ? markIcon(display.icon, display.category) : icon("unknown")});
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
