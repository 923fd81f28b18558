// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/node_spec.h"

namespace millrace {

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

PlaceWish NodeSpec::placeWish(const Values& values) const {
  const auto found = values.find("place");
  const auto* const text =
      found == values.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (param("place") == nullptr || text == nullptr) return PlaceWish::Auto;
  return *text == "gpu" ? PlaceWish::Gpu : *text == "cpu" ? PlaceWish::Cpu : PlaceWish::Auto;
}

}  // namespace millrace
