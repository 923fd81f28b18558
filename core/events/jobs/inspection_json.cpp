// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/inspection_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/data/field_text.h"
#include "core/events/json/json_read.h"
#include "core/events/json/json_text.h"
#include "core/events/json/name_bytes.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace inspect_key {
constexpr const char* kFormatVersion = "format_version";
constexpr const char* kPath = "path";
constexpr const char* kKind = "kind";
constexpr const char* kReadable = "readable";
constexpr const char* kDescription = "words";
constexpr const char* kSamples = "samples";
constexpr const char* kSamplesRead = "looked_at";
constexpr const char* kBytes = "bytes";
constexpr const char* kBytesEstimated = "bytes_estimated";
constexpr const char* kBytesPerSample = "bytes_per_sample";
constexpr const char* kFields = "fields";
constexpr const char* kName = "name";
constexpr const char* kNameBytes = "name_bytes";
constexpr const char* kType = "type";
constexpr const char* kShape = "shape";
constexpr const char* kLayout = "layout";
constexpr const char* kRole = "role";
constexpr const char* kClasses = "classes";
constexpr const char* kPictures = "pictures";
constexpr const char* kSeen = "seen";
constexpr const char* kFormats = "formats";
constexpr const char* kLeast = "least";
constexpr const char* kMost = "most";
constexpr const char* kWidth = "width";
constexpr const char* kHeight = "height";
constexpr const char* kLongerSide = "longer_side";
constexpr const char* kBrokenSamples = "broken_samples";
constexpr const char* kBrokenReasons = "broken_reasons";
constexpr const char* kBroken = "broken";
constexpr const char* kSample = "sample";
constexpr const char* kReason = "reason";
constexpr const char* kWarnings = "warnings";
constexpr const char* kNext = "next";
constexpr const char* kBelow = "below";
constexpr const char* kPathBytes = "path_bytes";
constexpr const char* kSampleBytes = "sample_bytes";
constexpr const char* kProposal = "proposal";
}  // namespace inspect_key

/// Adds a name of a file; one that is not UTF-8 also with its bytes as Base64.
Json withName(Json json, const char* key, const char* bytesKey, const std::string& name) {
  json[key] = validUtf8(name);
  if (std::string bytes = bytesOfName(name); !bytes.empty()) json[bytesKey] = std::move(bytes);
  return json;
}

Json sizeJson(const Size& size) {
  return {{inspect_key::kWidth, size.width}, {inspect_key::kHeight, size.height}};
}

Json picturesJson(const PictureSurvey& found) {
  using namespace inspect_key;
  Json sides = Json::object();
  for (std::size_t bin = 0; bin < found.byLongerSide.size(); ++bin)
    sides[longerSideName(bin)] = found.byLongerSide[bin];
  return {{kSeen, found.seen},
          {kFormats, found.formats},
          {kLeast, sizeJson(found.least)},
          {kMost, sizeJson(found.most)},
          {kLongerSide, std::move(sides)}};
}

Json fieldsJson(const DataSurvey& survey) {
  using namespace inspect_key;
  Json fields = Json::array();
  for (const FieldSpec& field : survey.fields) {
    Json shape = Json::array();
    for (const std::int64_t size : field.shape)
      shape.push_back(size == Shape::kUnknown ? Json() : Json(size));
    fields.push_back({{kName, field.name},
                      {kType, nameOf(field.dtype)},
                      {kShape, std::move(shape)},
                      {kLayout, nameOf(field.layout)},
                      {kRole, nameOf(field.role)}});
  }
  return fields;
}

void addSurvey(Json& all, const DataSurvey& survey) {
  using namespace inspect_key;
  Json broken = Json::array();
  for (const auto& [name, reason] : survey.brokenSamples)
    broken.push_back(withName({{kReason, validUtf8(reason)}}, kSample, kSampleBytes, name));
  Json reasons = Json::array();
  for (const auto& [reason, count] : survey.brokenReasons)
    reasons.push_back({{kReason, validUtf8(reason)}, {kSamples, count}});
  Json classes = Json::array();
  for (std::size_t i = 0; i < survey.classes.size(); ++i)
    classes.push_back(
        withName({{kSamples, survey.perClass.empty() ? Json() : Json(survey.perClass[i])}}, kName,
                 kNameBytes, survey.classes[i]));
  Json warnings = Json::array();
  for (const std::string& warning : survey.warnings) warnings.push_back(validUtf8(warning));
  all[kSamples] = survey.samples;
  all[kSamplesRead] = survey.samplesRead;
  all[kBytes] = survey.bytes;
  all[kBytesEstimated] = survey.bytesEstimated;
  all[kBytesPerSample] = survey.bytesPerSample();
  all[kFields] = fieldsJson(survey);
  all[kClasses] = std::move(classes);
  all[kPictures] = Json::object();
  for (const auto& [field, pictures] : survey.pictures)
    all[kPictures][field] = picturesJson(pictures);
  all[kBrokenSamples] = survey.broken;
  all[kBroken] = std::move(broken);
  all[kBrokenReasons] = std::move(reasons);
  all[kWarnings] = std::move(warnings);
}

/// The name that withName() has written.
std::string nameIn(const Json& json, const char* key, const char* bytesKey) {
  std::string name;
  std::string base64;
  json_read::readAll(json, key, name, bytesKey, base64);
  takeBytesOfName(base64, name);
  return name;
}

std::uint32_t count32At(const Json& json, const char* key) {
  std::uint64_t count = 0;
  json_read::read(json_read::at(json, key), count);
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

Size sizeIn(const Json& json) {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  json_read::readAll(json, inspect_key::kWidth, width, inspect_key::kHeight, height);
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  return {static_cast<int>(std::min(width, kMost)), static_cast<int>(std::min(height, kMost))};
}

PictureSurvey picturesIn(const Json& json) {
  using namespace inspect_key;
  PictureSurvey found;
  json_read::read(json_read::at(json, kSeen), found.seen);
  const Json& formats = json_read::at(json, kFormats);
  if (formats.is_object())
    for (const auto& [format, count] : formats.items())
      json_read::read(count, found.formats[format]);
  found.least = sizeIn(json_read::at(json, kLeast));
  found.most = sizeIn(json_read::at(json, kMost));
  const Json& sides = json_read::at(json, kLongerSide);
  for (std::size_t bin = 0; bin < found.byLongerSide.size(); ++bin)
    json_read::read(json_read::at(sides, longerSideName(bin).c_str()), found.byLongerSide[bin]);
  return found;
}

FieldSpec fieldIn(const Json& json) {
  using namespace inspect_key;
  FieldSpec field;
  std::string type;
  std::string layout;
  std::string role;
  json_read::readAll(json, kName, field.name, kType, type, kLayout, layout, kRole, role);
  field.dtype = dtypeNamed(type).value_or(field.dtype);
  field.role = roleNamed(role).value_or(field.role);
  for (const Layout known : {Layout::Plain, Layout::Hwc, Layout::Chw})
    if (nameOf(known) == layout) field.layout = known;
  for (const Json& size : json_read::itemsAt(json, kShape)) {
    if (field.shape.rank() == Shape::kMaxRank) break;
    std::int64_t known = Shape::kUnknown;
    json_read::read(size, known);
    field.shape.append(known);
  }
  return field;
}

/// Samples per class are all known or all unknown.
void readClasses(const Json& json, DataSurvey& survey) {
  using namespace inspect_key;
  for (const Json& item : json_read::itemsAt(json, kClasses)) {
    std::optional<std::uint64_t> samples;
    survey.classes.push_back(nameIn(item, kName, kNameBytes));
    json_read::read(json_read::at(item, kSamples), samples);
    if (samples) survey.perClass.push_back(*samples);
  }
  if (survey.perClass.size() != survey.classes.size()) survey.perClass.clear();
}

DataSurvey surveyIn(const Json& json) {
  using namespace inspect_key;
  DataSurvey survey;
  survey.samples = count32At(json, kSamples);
  survey.samplesRead = count32At(json, kSamplesRead);
  double perSample = 0;
  json_read::readAll(json, kBytes, survey.bytes, kBytesEstimated, survey.bytesEstimated,
                     kBytesPerSample, perSample, kBrokenSamples, survey.broken, kWarnings,
                     survey.warnings);
  constexpr double kMostBytes = 9e18;
  survey.bytesRead = static_cast<std::uint64_t>(
      std::clamp(std::round(perSample * survey.samplesRead), 0.0, kMostBytes));
  for (const Json& field : json_read::itemsAt(json, kFields))
    survey.fields.push_back(fieldIn(field));
  readClasses(json, survey);
  const Json& pictures = json_read::at(json, kPictures);
  if (pictures.is_object())
    for (const auto& [field, found] : pictures.items()) survey.pictures[field] = picturesIn(found);
  for (const Json& item : json_read::itemsAt(json, kBroken)) {
    auto& [name, reason] = survey.brokenSamples.emplace_back();
    name = nameIn(item, kSample, kSampleBytes);
    json_read::read(json_read::at(item, kReason), reason);
  }
  for (const Json& item : json_read::itemsAt(json, kBrokenReasons)) {
    auto& [reason, count] = survey.brokenReasons.emplace_back();
    json_read::read(json_read::at(item, kReason), reason);
    json_read::read(json_read::at(item, kSamples), count);
  }
  return survey;
}

}  // namespace

std::string inspectionJson(const Inspection& found) {
  using namespace inspect_key;
  Json all = withName({{kFormatVersion, 1},
                       {kKind, found.kind},
                       {kReadable, found.isReadable()},
                       {kDescription, validUtf8(found.description)}},
                      kPath, kPathBytes, found.path);
  for (const DataBelow& below : found.below)
    all[kBelow].push_back(
        withName({{kKind, below.kind}, {kDescription, validUtf8(below.description)}}, kPath,
                 kPathBytes, below.path.native()));
  if (found.survey) {
    addSurvey(all, *found.survey);
    all[kNext] = validUtf8(found.next);
    all[kProposal] =
        found.proposal ? parsedJson(graphText(*found.proposal, builtinCatalog())) : Json();
  }
  return prettyJson(all);
}

std::optional<Inspection> parseInspection(std::string_view json) {
  using namespace inspect_key;
  const Json all = parsedJson(json);
  if (!all.is_object()) return std::nullopt;
  Inspection found;
  found.path = nameIn(all, kPath, kPathBytes);
  json_read::readAll(all, kKind, found.kind, kDescription, found.description, kNext, found.next);
  for (const Json& item : json_read::itemsAt(all, kBelow)) {
    DataBelow& below = found.below.emplace_back();
    below.path = nameIn(item, kPath, kPathBytes);
    json_read::readAll(item, kKind, below.kind, kDescription, below.description);
  }
  if (!all.contains(kProposal)) return found;
  found.survey = surveyIn(all);
  const Json& proposal = json_read::at(all, kProposal);
  if (proposal.is_object()) found.proposal = parseGraph(dumpJson(proposal), builtinCatalog()).graph;
  return found;
}

}  // namespace millrace
