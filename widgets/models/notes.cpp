// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/notes.h"

#include <algorithm>
#include <cmath>

#include <QJsonArray>
#include <QJsonObject>

#include "widgets/common/strings.h"
#include "widgets/models/json_values.h"

namespace millrace {

namespace {

QJsonObject written(QJsonObject object, const Comment& comment) {
  object["text"] = comment.text;
  object["x"] = static_cast<qint64>(std::llround(comment.place.x()));
  object["y"] = static_cast<qint64>(std::llround(comment.place.y()));
  return object;
}

bool holdsAny(const RawJson& raw, const std::vector<NodeId>& nodes) {
  const QJsonArray ids = objectOf(raw)["nodes"].toArray();
  for (const auto& id : ids)
    if (std::ranges::find(nodes, fromQt(id.toString())) != nodes.end()) return true;
  return false;
}

}  // namespace

std::optional<Comment> commentOf(const RawJson& raw) {
  const QJsonObject object = objectOf(raw);
  if (!object["text"].isString() || !object["x"].isDouble() || !object["y"].isDouble())
    return std::nullopt;
  return Comment{object["text"].toString(), {object["x"].toDouble(), object["y"].toDouble()}};
}

std::optional<NodeGroup> groupOf(const RawJson& raw, const Graph& graph) {
  const QJsonObject object = objectOf(raw);
  NodeGroup group{object["title"].toString(), {}};
  const QJsonArray ids = object["nodes"].toArray();
  for (const auto& id : ids)
    if (graph.node(fromQt(id.toString())) != nullptr) group.nodes.push_back(fromQt(id.toString()));
  if (group.nodes.empty()) return std::nullopt;
  return group;
}

Graph addComment(Graph graph, const Comment& comment) {
  graph.comments.push_back(rawOf(written({}, comment)));
  return graph;
}

Graph setComment(Graph graph, std::size_t i, const Comment& comment) {
  if (i >= graph.comments.size()) return graph;
  if (comment.text.trimmed().isEmpty()) return removeComment(std::move(graph), i);
  graph.comments[i] = rawOf(written(objectOf(graph.comments[i]), comment));
  return graph;
}

Graph removeComment(Graph graph, std::size_t i) {
  if (i < graph.comments.size())
    graph.comments.erase(graph.comments.begin() + static_cast<std::ptrdiff_t>(i));
  return graph;
}

Graph addGroup(Graph graph, const QString& title, const std::vector<NodeId>& nodes) {
  std::vector<RawJson> kept;
  for (const RawJson& raw : graph.groups) {
    QJsonObject object = objectOf(raw);
    QJsonArray others;
    const QJsonArray ids = object["nodes"].toArray();
    for (const auto& id : ids)
      if (std::ranges::find(nodes, fromQt(id.toString())) == nodes.end()) others.append(id);
    if (others == ids) {
      kept.push_back(raw);
    } else if (!others.isEmpty()) {
      object["nodes"] = others;
      kept.push_back(rawOf(object));
    }
  }
  QJsonArray ids;
  for (const NodeId& id : nodes) ids.append(toQt(id));
  kept.push_back(rawOf({{"title", title}, {"nodes", ids}}));
  graph.groups = std::move(kept);
  return graph;
}

Graph retitleGroup(Graph graph, std::size_t i, const QString& title) {
  if (i >= graph.groups.size()) return graph;
  QJsonObject object = objectOf(graph.groups[i]);
  object["title"] = title;
  graph.groups[i] = rawOf(object);
  return graph;
}

Graph ungroup(Graph graph, const std::vector<NodeId>& nodes) {
  std::erase_if(graph.groups, [&](const RawJson& raw) { return holdsAny(raw, nodes); });
  return graph;
}

Graph renamedInGroups(Graph graph, const NodeId& id, const NodeId& newId) {
  for (RawJson& raw : graph.groups) {
    if (!holdsAny(raw, {id})) continue;
    QJsonObject object = objectOf(raw);
    QJsonArray ids = object["nodes"].toArray();
    for (qsizetype i = 0; i < ids.size(); ++i)
      if (ids[i].toString() == toQt(id)) ids[i] = toQt(newId);
    object["nodes"] = ids;
    raw = rawOf(object);
  }
  return graph;
}

}  // namespace millrace
