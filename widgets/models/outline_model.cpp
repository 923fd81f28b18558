// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/outline_model.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/graph/region.h"
#include "widgets/bridge/background_check.h"
#include "widgets/common/icons.h"
#include "widgets/models/document.h"

namespace millrace {

std::vector<NodeId> nodesInOrder(const Graph& graph, const Catalog& catalog) {
  std::map<NodeId, NodeId> successors;
  std::set<NodeId> led;
  for (const GraphWire& wire : graph.wires) {
    successors.emplace(wire.from, wire.to);
    led.insert(wire.to);
  }
  // Sources first, connected nodes before unconnected ones, otherwise in the file's order.
  const auto rank = [&](const GraphNode& node) {
    const NodeSpec* spec = catalog.find(node.kind);
    return (spec != nullptr && spec->role == NodeRole::Source ? 2 : 0) +
           (successors.contains(node.id) ? 1 : 0);
  };
  std::vector<NodeId> heads;
  for (const int wanted : {3, 2, 1, 0})
    for (const GraphNode& node : graph.nodes)
      if (!led.contains(node.id) && rank(node) == wanted) heads.push_back(node.id);
  for (const GraphNode& node : graph.nodes) heads.push_back(node.id);  // Cycles have no head.
  std::vector<NodeId> order;
  std::set<NodeId> seen;
  for (NodeId id : heads)
    while (graph.node(id) != nullptr && seen.insert(id).second) {
      order.push_back(id);
      const auto next = successors.find(id);
      if (next == successors.end()) break;
      id = next->second;
    }
  return order;
}

OutlineModel::OutlineModel(Document& document, BackgroundCheck& check)
    : QAbstractItemModel(&document), m_document(document), m_check(check) {
  connect(&document, &Document::changed, this, &OutlineModel::refresh);
  connect(&check, &BackgroundCheck::finished, this, &OutlineModel::refresh);
  refresh();
}

std::vector<OutlineModel::Entry> OutlineModel::build(std::vector<int>& top) const {
  const Graph& graph = m_document.graph();
  std::map<NodeId, NodeId> regionOf;
  for (const Region& region : regionsOf(graph, m_document.catalog()))
    for (const NodeId& member : region.members) regionOf[member] = region.head;
  std::vector<Entry> entries;
  std::map<NodeId, int> places;
  for (const NodeId& id : nodesInOrder(graph, m_document.catalog())) {
    Entry entry;
    entry.display = displayOf(*graph.node(id), m_document.catalog(), m_check.result());
    const int place = static_cast<int>(entries.size());
    const auto region = regionOf.find(id);
    if (region != regionOf.end() && places.contains(region->second))
      entry.parent = places[region->second];
    std::vector<int>& siblings =
        entry.parent < 0 ? top : entries[static_cast<std::size_t>(entry.parent)].children;
    entry.row = static_cast<int>(siblings.size());
    siblings.push_back(place);
    places[id] = place;
    entries.push_back(std::move(entry));
  }
  return entries;
}

void OutlineModel::refresh() {
  std::vector<int> top;
  std::vector<Entry> entries = build(top);
  const bool sameShape =
      top == m_top && std::ranges::equal(entries, m_entries, [](const Entry& a, const Entry& b) {
        return a.display.id == b.display.id && a.parent == b.parent && a.children == b.children;
      });
  if (!sameShape) {
    beginResetModel();
    m_entries = std::move(entries);
    m_top = std::move(top);
    endResetModel();
    return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] == m_entries[i]) continue;
    m_entries[i] = std::move(entries[i]);
    const QModelIndex index = createIndex(m_entries[i].row, 0, static_cast<quintptr>(i));
    emit dataChanged(index, index);
  }
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  const std::vector<int>& rows = parent.isValid() ? m_entries[parent.internalId()].children : m_top;
  return createIndex(row, column, static_cast<quintptr>(rows[static_cast<std::size_t>(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int parent = m_entries[index.internalId()].parent;
  if (parent < 0) return {};
  return createIndex(m_entries[static_cast<std::size_t>(parent)].row, 0,
                     static_cast<quintptr>(parent));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_top.size());
  if (parent.column() != 0) return 0;
  return static_cast<int>(m_entries[parent.internalId()].children.size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return 1; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const NodeDisplay& display = m_entries[index.internalId()].display;
  switch (role) {
    case Qt::DisplayRole:
      return display.settings.isEmpty() ? display.title : display.title + " · " + display.settings;
    case Qt::DecorationRole:
      if (display.errors > 0) return icon("error", Tone::Error);
      if (display.warnings > 0) return icon("warning", Tone::Warning);
      return display.known ? markIcon(display.icon, display.category) : icon("unknown");
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      const QString text = describe(display, m_document.specOf(display.id));
      return display.problem.isEmpty() ? text : text + ". " + display.problem;
    }
    case Qt::ForegroundRole: return display.bypassed ? QVariant(theme()[Tone::Hint]) : QVariant();
    case TitleRole: return display.title;
    case SettingsRole: return display.settings;
    case IdRole: return QString::fromStdString(display.id);
    default: return {};
  }
}

QModelIndex OutlineModel::indexOf(const NodeId& id) const {
  for (std::size_t i = 0; i < m_entries.size(); ++i)
    if (m_entries[i].display.id == id)
      return createIndex(m_entries[i].row, 0, static_cast<quintptr>(i));
  return {};
}

NodeId OutlineModel::idAt(const QModelIndex& index) const {
  return index.isValid() ? m_entries[index.internalId()].display.id : NodeId();
}

}  // namespace millrace
