// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/inspect_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/data_page.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text.h"
#include "core/events/json_text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

constexpr std::size_t kMostClasses = 12;

std::string sizeText(const Size& size) { return fmt::format("{}x{}", size.width, size.height); }

std::string classesText(const DataSurvey& survey) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(survey.classes.size(), kMostClasses); ++i)
    texts.push_back(survey.perClass.empty() ? validUtf8(survey.classes[i])
                                            : fmt::format("{} ({})", validUtf8(survey.classes[i]),
                                                          grouped(survey.perClass[i])));
  if (survey.classes.size() > kMostClasses)
    texts.push_back(fmt::format("and {} more", grouped(survey.classes.size() - kMostClasses)));
  return fmt::format("{}: {}", grouped(survey.classes.size()), join(texts, ", "));
}

std::string binName(std::size_t bin) {
  const auto& edges = PictureSurvey::kEdges;
  if (bin == 0) return fmt::format("below {}", edges[0]);
  if (bin == edges.size()) return fmt::format("{} or more", edges[bin - 1]);
  return fmt::format("{} to {}", edges[bin - 1], edges[bin] - 1);
}

std::string picturesText(const std::string& field, const PictureSurvey& found) {
  std::vector<std::string> formats;
  for (const auto& [format, count] : found.formats)
    formats.push_back(fmt::format("{} {}", grouped(count), format));
  const bool same = found.least == found.most;
  std::string text =
      dataRow(field, fmt::format("{}, {}", join(formats, ", "),
                                 same ? "all " + sizeText(found.least)
                                      : sizeText(found.least) + " to " + sizeText(found.most)));
  if (same) return text;
  const std::uint64_t most =
      *std::max_element(found.byLongerSide.begin(), found.byLongerSide.end());
  for (std::size_t bin = 0; bin < found.byLongerSide.size(); ++bin) {
    const std::uint64_t count = found.byLongerSide[bin];
    if (count == 0) continue;
    const auto bars = static_cast<std::size_t>(std::max<std::uint64_t>(1, 30 * count / most));
    text += fmt::format("            {:<14} {:<30} {}\n", binName(bin), std::string(bars, '#'),
                        grouped(count));
  }
  return text;
}

std::string brokenText(const DataSurvey& survey) {
  std::string text = dataRow("broken", fmt::format("{} of {} samples", grouped(survey.broken),
                                                   grouped(survey.samplesRead)));
  for (const auto& [name, reason] : survey.brokenSamples)
    text += "            " +
            wrapped(validUtf8(name) + ": " + validUtf8(reason), kDataIndent + 2, kDataIndent);
  if (survey.broken > survey.brokenSamples.size()) text += "            and others\n";
  return text;
}

Json picturesJson(const PictureSurvey& found) {
  Json sides = Json::object();
  for (std::size_t bin = 0; bin < found.byLongerSide.size(); ++bin)
    sides[binName(bin)] = found.byLongerSide[bin];
  return {{"seen", found.seen},
          {"formats", found.formats},
          {"least", {{"width", found.least.width}, {"height", found.least.height}}},
          {"most", {{"width", found.most.width}, {"height", found.most.height}}},
          {"longer_side", std::move(sides)}};
}

Json fieldsJson(const DataSurvey& survey) {
  Json fields = Json::array();
  for (const FieldSpec& field : survey.fields) {
    Json shape = Json::array();
    for (const std::int64_t size : field.shape)
      shape.push_back(size == Shape::kUnknown ? Json() : Json(size));
    fields.push_back({{"name", field.name},
                      {"type", nameOf(field.dtype)},
                      {"shape", std::move(shape)},
                      {"layout", nameOf(field.layout)},
                      {"role", nameOf(field.role)}});
  }
  return fields;
}

}  // namespace

std::string inspectionPage(const Inspection& found) {
  std::string page = validUtf8(found.path) + "\n";
  page += dataRow("kind", nameOf(found.content));
  page += dataRow("", found.content.description);
  if (!found.survey) return page;
  const DataSurvey& survey = *found.survey;
  const bool whole = survey.samplesRead == survey.samples;
  page += dataRow("samples",
                  whole ? grouped(survey.samples)
                        : fmt::format("{}; the following is based on {} of them, evenly spread",
                                      grouped(survey.samples), grouped(survey.samplesRead)));
  page += dataRow("bytes",
                  fmt::format("{}{}; {} to read per sample", survey.bytesEstimated ? "about " : "",
                              humanBytes(static_cast<double>(survey.bytes)),
                              humanBytes(survey.bytesPerSample())));
  page += dataRow("fields", fieldsText(survey.fields));
  if (!survey.classes.empty()) page += dataRow("classes", classesText(survey));
  for (const auto& [field, pictures] : survey.pictures) page += picturesText(field, pictures);
  if (survey.broken > 0) page += brokenText(survey);
  for (const std::string& warning : survey.warnings) page += dataRow("note", validUtf8(warning));
  if (!found.proposal->notes.empty()) page += dataRow("pipeline", found.proposal->notes);
  return page + "\nNext:\n  " + found.next + "\n";
}

std::string inspectionJson(const Inspection& found) {
  Json all = {{"format_version", 1},
              {"path", validUtf8(found.path)},
              {"kind", nameOf(found.content)},
              {"readable", found.survey.has_value()},
              {"words", validUtf8(found.content.description)}};
  if (found.survey) {
    const DataSurvey& survey = *found.survey;
    Json broken = Json::array();
    for (const auto& [name, reason] : survey.brokenSamples)
      broken.push_back({{"sample", validUtf8(name)}, {"reason", validUtf8(reason)}});
    Json classes = Json::array();
    for (std::size_t i = 0; i < survey.classes.size(); ++i)
      classes.push_back({{"name", validUtf8(survey.classes[i])},
                         {"samples", survey.perClass.empty() ? Json() : Json(survey.perClass[i])}});
    Json warnings = Json::array();
    for (const std::string& warning : survey.warnings) warnings.push_back(validUtf8(warning));
    all["samples"] = survey.samples;
    all["looked_at"] = survey.samplesRead;
    all["bytes"] = survey.bytes;
    all["bytes_estimated"] = survey.bytesEstimated;
    all["bytes_per_sample"] = survey.bytesPerSample();
    all["fields"] = fieldsJson(survey);
    all["classes"] = std::move(classes);
    all["pictures"] = Json::object();
    for (const auto& [field, pictures] : survey.pictures)
      all["pictures"][field] = picturesJson(pictures);
    all["broken_samples"] = survey.broken;
    all["broken"] = std::move(broken);
    all["warnings"] = std::move(warnings);
    all["next"] = validUtf8(found.next);
    all["proposal"] =
        Json::parse(graphText(found.proposal->graph, builtinCatalog()), nullptr, false);
  }
  return prettyJson(all);
}

}  // namespace millrace::cli
