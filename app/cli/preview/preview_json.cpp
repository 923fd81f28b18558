// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/preview/preview_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/events/json_text.h"
#include "core/graph/graph_json.h"
#include "core/jobs/preview/preview_field.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

std::string line(const char* event, std::optional<std::int64_t> id, Json json) {
  json["event"] = event;
  json["id"] = orNull(id);
  return dumpJson(json);
}

/// RFC 4648, with padding.
std::string base64(const std::vector<std::byte>& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group =
          group << 8U | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

/// The class, the one-hot class, or the number itself.
Json labelJson(const FieldSpec& spec, const std::vector<double>& elements,
               const std::vector<std::string>& classes) {
  if (elements.empty()) return {};
  double value = elements.front();
  if (spec.oneHot)
    value =
        static_cast<double>(std::max_element(elements.begin(), elements.end()) - elements.begin());
  const auto index = static_cast<std::int64_t>(value);
  const bool named = index >= 0 && static_cast<std::size_t>(index) < classes.size();
  return {{"value", value},
          {"class", named ? Json(validUtf8(classes[static_cast<std::size_t>(index)])) : Json()}};
}

Json fieldJson(const FieldSpec& spec, const TensorView& view,
               const std::vector<std::string>& classes, int side) {
  const std::vector<double> elements = elementsOf(view);
  const std::optional<FieldStatistics> found = statisticsOf(elements);
  Json json = {{"name", spec.name},
               {"role", nameOf(spec.role)},
               {"dtype", nameOf(view.dtype)},
               {"shape", std::vector<std::int64_t>(view.shape.begin(), view.shape.end())},
               {"layout", nameOf(view.layout)},
               {"bytes", view.bytes},
               {"min", found ? Json(found->minimum) : Json()},
               {"max", found ? Json(found->maximum) : Json()},
               {"mean", found ? Json(found->mean) : Json()}};
  const auto png = previewPng(spec, view, side);
  json["png"] = png ? Json(base64(*png)) : Json();
  json["label"] = spec.role == Role::Label ? labelJson(spec, elements, classes) : Json();
  return json;
}

template <class T>
T numberAt(const Json& json, const char* key, T fallback) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() && *found >= 0 ? found->get<T>()
                                                                          : fallback;
}

std::string textAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

}  // namespace

std::string sampleLine(std::optional<std::int64_t> id, std::uint64_t place,
                       const PreviewSample& sample, const Plan& plan, int side) {
  Json json = {{"place", place},
               {"position", sample.position},
               {"epoch_samples", orNull(sample.epochSamples)},
               {"name", validUtf8(sample.name)},
               {"epoch", sample.key.epoch},
               {"index", sample.key.index},
               {"node", plan.pipeline.nodes.back().id},
               {"error", orNull(validUtf8(sample.error))}};
  Json fields = Json::array();
  const std::vector<FieldSpec>& specs = plan.pipeline.nodes.back().out.fields;
  const std::vector<std::string> classes = plan.pipeline.source->classes();
  for (std::size_t f = 0; sample.sample != nullptr && f < specs.size(); ++f)
    fields.push_back(fieldJson(specs[f], (*sample.sample)[f], classes, side));
  json["fields"] = fields;
  return line("sample", id, std::move(json));
}

std::string doneLine(std::optional<std::int64_t> id, std::size_t samples) {
  return line("done", id, {{"samples", samples}});
}
std::string staleLine(std::optional<std::int64_t> id) { return line("stale", id, Json::object()); }
std::string previewErrorLine(std::optional<std::int64_t> id, const std::string& error) {
  return line("error", id, {{"error", validUtf8(error)}});
}

ServedRequest parsePreviewRequest(const std::string& text) {
  ServedRequest request;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    request.error =
        "a request is one JSON object per line, such as {\"id\": 1, \"pipeline\": {...}}";
    return request;
  }
  if (const auto id = json.find("id"); id != json.end() && id->is_number_integer())
    request.id = id->get<std::int64_t>();
  const auto pipeline = json.find("pipeline");
  if (pipeline == json.end() || !pipeline->is_object()) {
    request.error = "pipeline: expected a pipeline document as an object";
    return request;
  }
  ReadGraph read = parseGraph(dumpJson(*pipeline), builtinCatalog());
  if (!read.graph) {
    request.error =
        read.problems.all().empty() ? "no pipeline" : read.problems.all().front().text();
    return request;
  }
  PreviewOptions& preview = request.preview;
  preview.graph = std::move(*read.graph);
  preview.graph.seed = numberAt(json, "seed", preview.graph.seed);
  preview.base = textAt(json, "base");
  if (preview.base.empty()) preview.base = std::filesystem::current_path();
  preview.node = textAt(json, "node");
  preview.first = std::min<std::uint64_t>(numberAt(json, "first", std::uint64_t{0}), 1U << 31U);
  preview.count = std::clamp<std::size_t>(numberAt(json, "count", std::size_t{8}), 1,
                                          PreviewOptions::kMostSamples);
  request.side = std::clamp(numberAt(json, "side", kPreviewSide), kPreviewSide, kMostPreviewSide);
  return request;
}

}  // namespace millrace::cli
