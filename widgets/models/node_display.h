// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/data/stream_type.h"
#include "core/graph/graph.h"
#include "core/graph/graph_check.h"
#include "core/spec/catalog.h"

namespace millrace {

/// What the views (canvas, outline, previews, differences) show of a node. Made only from the
/// description and the last check. Value.
struct NodeDisplay {
  NodeId id;
  QString title;
  QString settings;  ///< the two or three most important ones
  QString icon;
  Category category = Category::Tensor;
  bool known = true;  ///< the kind is in the catalog
  bool bypassed = false;
  bool hasInput = true;
  bool hasOutput = true;
  Level inLevel = Level::Sample;
  Level outLevel = Level::Sample;
  int errors = 0;
  int warnings = 0;
  QString problem;  ///< text of the first one
  QString queue;    ///< capacity of its queue: "4 batches"; empty: no queue

  bool operator==(const NodeDisplay&) const = default;
};

/// "Flip", "Flip 2" for `flip_2`; a name that the user gave is shown unchanged.
QString titleOf(const GraphNode& node, const NodeSpec* spec);
/// Settings that differ from the defaults first, otherwise the first ones, in declared order.
QString settingsLine(const GraphNode& node, const NodeSpec& spec);

NodeDisplay displayOf(const GraphNode& node, const Catalog& catalog, const CheckResult& check);

/// Plain text for tooltips and screen readers.
QString describe(const NodeDisplay& display, const NodeSpec* spec);

}  // namespace millrace
