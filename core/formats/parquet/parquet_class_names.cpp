// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/formats/parquet/parquet_footer.h"

namespace millrace {

/// {"info": {"features": {"label": {"names": ["cat", "dog"], "_type": "ClassLabel"}}}}, as
/// huggingface/datasets writes it.
std::map<std::string, std::vector<std::string>> parquetClassNames(const std::string& features) {
  using FeaturesJson = nlohmann::json;
  std::map<std::string, std::vector<std::string>> found;
  const FeaturesJson whole = parsedJson(features);
  const FeaturesJson* at = &whole;
  for (const char* key : {"info", "features"}) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &(*at)[key];
  }
  if (!at->is_object()) return {};
  for (const auto& [column, feature] : at->items()) {
    if (!feature.is_object() || !feature.contains("names")) continue;
    std::vector<std::string> names;
    for (const FeaturesJson& name : feature["names"])
      if (name.is_string()) names.push_back(name.get<std::string>());
    if (names.size() == feature["names"].size()) found[column] = std::move(names);
  }
  return found;
}

}  // namespace millrace
