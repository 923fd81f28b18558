// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// A parameter that a sweep varies, and the values that it takes: two or more, each once, in the
/// order given. All of them fit the parameter's description.
struct SweepAxis {
  std::string node;
  std::string param;
  std::vector<Value> values;
  /// As the document has it, or by default: what "the current setting" means.
  Value current;

  /// "workers.count".
  std::string name() const { return node + "." + param; }
};

/// The most values of one parameter.
inline constexpr std::size_t kMostVaried = 10000;

/// Reads `NODE.PARAM=ITEM{,ITEM}`. An item is a value as `--set` takes it; of a number also a range
/// `1..16` (whole numbers one by one), `1..16:2` (with a step) or `16..256:x2` (each the double of
/// the one before), whose end belongs to it where it is hit; of a choice or boolean also `*`, all
/// there are. Values of a list parameter stand between `;`, because `,` is within them. The error
/// names the valid nodes, parameters and ranges, from the nodes' description. Pure.
Result<SweepAxis> parseVary(const Graph& graph, const Catalog& catalog, std::string_view text);

/// An error where no value of an axis can change anything, because another parameter of its node,
/// which is not varied, gives it no meaning.
Status checkUsed(const Graph& graph, const Catalog& catalog, const std::vector<SweepAxis>& axes);

/// The document with these parameters set: value i of axis i.
Result<Graph> withSettings(Graph graph, const Catalog& catalog, const std::vector<SweepAxis>& axes,
                           const std::vector<Value>& values);

}  // namespace millrace
