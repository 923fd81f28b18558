// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/advice_edits.h"

#include "widgets/common/strings.h"
#include "widgets/models/live/run_overlay.h"
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

QString meaningForTraining(SampleChange changes) {
  switch (changes) {
    case SampleChange::Nothing: return "Training gets the same samples in the same order.";
    case SampleChange::Order: return "Training gets the same samples in a different order.";
    case SampleChange::Batching: return "Training gets the same samples in different batches.";
    case SampleChange::Content: break;
  }
  return "Training gets different values: check that the model still learns as well.";
}

QString shownPrediction(const RatePrediction& predicted) {
  return QString("%1 samples/s (%2 to %3)")
      .arg(shownRate(predicted.middle), shownRate(predicted.low), shownRate(predicted.high));
}

}  // namespace millrace
