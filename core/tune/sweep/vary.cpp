// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/vary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

using Items = Result<std::vector<Value>>;

bool isNumber(ParamType type) { return type == ParamType::Integer || type == ParamType::Real; }

bool isList(ParamType type) {
  return type == ParamType::RealList || type == ParamType::TextList || type == ParamType::PathList;
}

double numberOf(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

/// The parts of a range: `from..to`, optionally followed by a colon and a step or factor.
struct Range {
  double from = 0;
  double to = 0;
  double step = 0;    ///< 0 if not given
  double factor = 0;  ///< 0 if not given
};

Result<Range> parseRange(ParamType type, std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::size_t colon = text.find(':', dots);
  Range range;
  const auto read = [](ParamType as, std::string_view part, double& to) -> Status {
    const Result<Value> value = parseValue(as, part);
    if (!value) return value.error();
    to = numberOf(*value);
    return {};
  };
  MILLRACE_TRY(read(type, text.substr(0, dots), range.from));
  MILLRACE_TRY(read(type, text.substr(dots + 2, colon - std::min(colon, dots + 2)), range.to));
  if (colon == std::string_view::npos) {
    if (type == ParamType::Real)
      return Error{fmt::format("`{0}` needs a step, such as {0}:0.1, or a factor, {0}:x2", text)};
    range.step = 1;
  } else if (const std::string_view by = text.substr(colon + 1); by.starts_with('x')) {
    MILLRACE_TRY(read(ParamType::Real, by.substr(1), range.factor));
  } else {
    MILLRACE_TRY(read(type, by, range.step));
  }
  if (range.to < range.from)
    return Error{fmt::format("`{}`: the smaller number must come first", text)};
  if (range.factor == 0 && range.step <= 0)
    return Error{fmt::format("`{}`: the step must be above 0", text)};
  if (range.factor != 0 && (range.factor <= 1 || range.from <= 0))
    return Error{fmt::format("`{}`: the factor must be above 1 and the numbers above 0", text)};
  return range;
}

Items valuesOf(const Range& range, ParamType type, std::string_view text) {
  std::vector<Value> values;
  // Sums of steps such as 0.1 end slightly above or below the exact number.
  const double end = range.to * (1 + 1e-9) + 1e-12;
  double at = range.from;
  for (std::size_t i = 0; at <= end; ++i) {
    if (i == kMostVaried)
      return Error{fmt::format("`{}` has more than {} values; use a larger step", text,
                               grouped(kMostVaried))};
    if (type == ParamType::Integer)
      values.emplace_back(static_cast<std::int64_t>(std::llround(at)));
    else
      values.emplace_back(std::stod(fmt::format("{:.12g}", at)));
    const auto steps = static_cast<double>(i + 1);
    at = range.factor > 0 ? range.from * std::pow(range.factor, steps)
                          : range.from + range.step * steps;
  }
  return values;
}

Items allOf(const ParamSpec& spec) {
  std::vector<Value> values;
  if (spec.type == ParamType::Boolean) return std::vector<Value>{false, true};
  for (const std::string& choice : spec.choices) values.emplace_back(choice);
  return values;
}

Items valuesOfItem(const ParamSpec& spec, std::string_view item) {
  if (isNumber(spec.type) && item.find("..") != std::string_view::npos) {
    const Result<Range> range = parseRange(spec.type, item);
    if (!range) return range.error();
    return valuesOf(*range, spec.type, item);
  }
  if (item == "*" && (spec.type == ParamType::Boolean || spec.type == ParamType::Choice))
    return allOf(spec);
  if (item == "*" && isNumber(spec.type))
    return Error{
        "`*` means all values of a choice or of true and false; give numbers, such as 16,32,64 or "
        "16..64:x2"};
  if (item.empty() && (isNumber(spec.type) || spec.type == ParamType::Boolean))
    return Error{"a value is missing"};
  const Result<Value> value = parseValue(spec.type, item);
  if (!value) return value.error();
  return std::vector<Value>{*value};
}

Status addValues(SweepAxis& axis, const ParamSpec& spec, std::string_view text) {
  for (const std::string& part : split(text, isList(spec.type) ? ';' : ',')) {
    const Items values = valuesOfItem(spec, trimmed(part));
    if (!values) return values.error();
    for (const Value& value : *values) {
      if (const auto wrong = spec.problemWith(value)) return Error{*wrong};
      if (std::ranges::find(axis.values, value) == axis.values.end()) axis.values.push_back(value);
    }
  }
  if (axis.values.size() > kMostVaried)
    return Error{fmt::format("more than {} values", grouped(kMostVaried))};
  if (axis.values.size() < 2)
    return Error{fmt::format("{} alone varies nothing; give more values, or set it in the pipeline",
                             textOf(axis.values.front()))};
  return {};
}

}  // namespace

Result<SweepAxis> parseVary(const Graph& graph, const Catalog& catalog, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos)
    return Error{
        fmt::format("`{}` is not of the form NODE.PARAM=VALUES, such as "
                    "workers.count=1,2,4 or batch.size=16..256:x2",
                    text)};
  SweepAxis axis;
  axis.node = text.substr(0, dot);
  axis.param = text.substr(dot + 1, equals - dot - 1);
  const GraphNode* node = graph.node(axis.node);
  if (node == nullptr)
    return Error{
        fmt::format("there is no node `{}`; {}", axis.node, didYouMean(axis.node, graph.ids()))};
  const NodeSpec* kind = catalog.find(node->kind);
  if (kind == nullptr)
    return Error{fmt::format("`{}` is of kind `{}`, which this version does not have", axis.node,
                             node->kind)};
  const ParamSpec* spec = kind->param(axis.param);
  if (spec == nullptr)
    return Error{fmt::format("`{}` has no parameter `{}`; {}", axis.node, axis.param,
                             paramHint(*kind, axis.param))};
  if (node->state == NodeState::Bypass)
    return Error{
        fmt::format("{}: `{}` is bypassed, so its values have no effect", axis.name(), axis.node)};
  axis.current = valueOf(*node, *spec);
  MILLRACE_TRY(addValues(axis, *spec, text.substr(equals + 1)));
  return axis;
}

std::string varyText(const SweepAxis& axis) {
  std::vector<std::string> values;
  for (const Value& value : axis.values) values.push_back(textOf(value));
  const bool lists = std::holds_alternative<RealList>(axis.current) ||
                     std::holds_alternative<TextList>(axis.current);
  return axis.name() + "=" + join(values, lists ? ";" : ",");
}

Status checkUsed(const Graph& graph, const Catalog& catalog, const std::vector<SweepAxis>& axes) {
  for (const SweepAxis& axis : axes) {
    const GraphNode& node = *graph.node(axis.node);
    const NodeSpec& kind = *catalog.find(node.kind);
    const ParamSpec& spec = *kind.param(axis.param);
    if (isUsed(node, kind, spec)) continue;
    const ParamSpec& other = *kind.param(spec.usedWith->param);
    const auto variesIt = [&](const SweepAxis& each) {
      return each.node == axis.node && each.param == other.name;
    };
    if (std::ranges::any_of(axes, variesIt)) continue;
    return Error{fmt::format(
        "`{}` has no effect: it is used only where {}, but the pipeline has {}", axis.name(),
        spec.usedWith->text(other, axis.node + "." + other.name), textOf(valueOf(node, other)))};
  }
  return {};
}

Result<Graph> withSettings(Graph graph, const Catalog& catalog, const std::vector<SweepAxis>& axes,
                           const std::vector<Value>& values) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Result<Graph> edited =
        setParameter(std::move(graph), catalog, axes[i].node, axes[i].param, values[i]);
    if (!edited) return edited.error();
    graph = edited.take();
  }
  return graph;
}

}  // namespace millrace
