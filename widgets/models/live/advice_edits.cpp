// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/advice_edits.h"

#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"

namespace millrace {

Advice editOf(const QJsonObject& json) {
  const auto textAt = [&](const char* key) { return fromQt(json[key].toString()); };
  Advice edit;
  edit.changes = json.contains("changes_samples") ? SampleChange::Content : SampleChange::Nothing;
  for (const SampleChange change :
       {SampleChange::Nothing, SampleChange::Order, SampleChange::Batching, SampleChange::Content})
    if (toQt(nameOf(change)) == json["changes_samples"].toString()) edit.changes = change;
  edit.text = textAt("text");
  if (json["param"].isString()) {
    edit.edit = Advice::Edit::Parameter;
    edit.node = textAt("node");
    edit.param = textAt("param");
    edit.from = textAt("from");
    edit.to = textAt("to");
  } else if (json["add"].toString() == "cache") {
    edit.edit = Advice::Edit::AddCache;
    edit.node = textAt("behind");
    edit.to = textAt("limit");
  } else if (json["move"].isString()) {
    edit.edit = Advice::Edit::MoveNode;
    edit.node = textAt("move");
    edit.to = textAt("before");
  }
  return edit;
}

QString shownEdit(const Graph& graph, const Catalog& catalog, const Advice& edit) {
  const QString plain = toQt(edit.editText().empty() ? edit.text : edit.editText());
  const GraphNode* node = graph.node(edit.node);
  const NodeSpec* kind = node == nullptr ? nullptr : catalog.find(node->kind);
  if (kind == nullptr) return plain;
  if (edit.edit == Advice::Edit::AddCache)
    return QString("Add a memory cache after %1").arg(titleOf(*node, kind));
  const ParamSpec* spec = kind->param(edit.param);
  if (edit.edit != Advice::Edit::Parameter || spec == nullptr) return plain;
  return QString("%1 › %2: %3 → %4")
      .arg(titleOf(*node, kind), toQt(spec->label), toQt(edit.from), toQt(edit.to));
}

}  // namespace millrace
