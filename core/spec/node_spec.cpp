// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/node_spec.h"

#include <algorithm>
#include <utility>

namespace millrace {

NodeSpec::NodeSpec() = default;
NodeSpec::NodeSpec(const NodeSpec&) = default;
NodeSpec::NodeSpec(NodeSpec&&) noexcept = default;
NodeSpec& NodeSpec::operator=(const NodeSpec&) = default;
NodeSpec& NodeSpec::operator=(NodeSpec&&) noexcept = default;
NodeSpec::~NodeSpec() = default;

std::string_view nameOf(Category category) {
  switch (category) {
    case Category::Source: return "source";
    case Category::Order: return "order";
    case Category::Cache: return "cache";
    case Category::Decode: return "decode";
    case Category::Geometry: return "geometry";
    case Category::Colour: return "colour";
    case Category::Tensor: return "tensor";
    case Category::Runtime: return "runtime";
    case Category::Consumer: return "consumer";
  }
  return "?";
}

const ParamSpec* NodeSpec::param(std::string_view name) const {
  for (const ParamSpec& spec : params)
    if (spec.name == name) return &spec;
  return nullptr;
}

Values NodeSpec::defaults() const {
  Values values;
  for (const ParamSpec& spec : params) values[spec.name] = spec.defaultValue;
  return values;
}

PlaceRequest NodeSpec::placeRequest(const Values& values) const {
  const auto found = values.find("place");
  const auto* const text =
      found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (param("place") == nullptr || text == nullptr) return PlaceRequest::Auto;
  return *text == "gpu"   ? PlaceRequest::Gpu
         : *text == "cpu" ? PlaceRequest::Cpu
                          : PlaceRequest::Auto;
}

void inferNumberOfPaths(NodeSpec& source) {
  const auto paths = std::ranges::find_if(source.params, [](const ParamSpec& param) {
    return param.type == ParamType::PathList && param.isData;
  });
  if (paths == source.params.end()) return;
  source.infer = [infer = std::move(source.infer), name = paths->name](
                     const Values& values, const StreamType& in, InferContext& context) {
    StreamType out = infer(values, in, context);
    out.paths = static_cast<std::int64_t>(std::get<TextList>(values.find(name)->second).size());
    return out;
  };
}

}  // namespace millrace
