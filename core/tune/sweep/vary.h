// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// A parameter that a sweep varies and its values: at least two, all different, in the given order,
/// all valid for the parameter.
struct SweepAxis {
  std::string node;
  std::string param;
  std::vector<Value> values;
  /// The value in the document, or the default: part of "the current setting".
  Value current;

  /// "workers.count".
  std::string name() const { return node + "." + param; }
};

/// Largest number of values of a parameter.
inline constexpr std::size_t kMostVaried = 10000;

/// Parses `NODE.PARAM=ITEM{,ITEM}`. An item is a value as `--set` takes it. For a number it may
/// also be a range: `1..16` (whole numbers), `1..16:2` (with a step) or `16..256:x2` (each double
/// the previous one); the end is included if it is reached. For a choice or boolean, `*` means all
/// values. Values of a list parameter are separated by `;`, because they contain `,`. The error
/// lists the valid nodes, parameters and ranges. Pure.
Result<SweepAxis> parseVary(const Graph& graph, const Catalog& catalog, std::string_view text);

/// The axis in the form that parseVary reads, with every value: "workers.count=1,2,4".
std::string varyText(const SweepAxis& axis);

/// An error if the values of an axis have no effect, because another parameter of its node, which
/// is not varied, disables it.
Status checkUsed(const Graph& graph, const Catalog& catalog, const std::vector<SweepAxis>& axes);

/// The document with these parameters set; value i belongs to axis i.
Result<Graph> withSettings(Graph graph, const Catalog& catalog, const std::vector<SweepAxis>& axes,
                           const std::vector<Value>& values);

}  // namespace millrace
