// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/advice_edits.h"

#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"

namespace millrace {

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
