// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/query_field.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/metrics/metric_spec.h"

namespace millrace {

namespace {

struct OwnField {
  std::string_view name;
  FieldType type;
  std::string_view unit;
  std::string_view sql;
};

/// Without a final figure (running, killed), the rate over the windows so far.
constexpr std::string_view kRate =
    "coalesce((SELECT value FROM run_figures WHERE run_id = runs.id AND "
    "metric = 'samples_per_second'), (SELECT sum(samples) / sum(seconds) FROM windows WHERE "
    "repeat_id IN (SELECT id FROM repeats WHERE run_id = runs.id)))";

constexpr std::array kOwnFields = {
    OwnField{"number", FieldType::Number, "", "runs.id"},
    OwnField{"name", FieldType::Text, "", "runs.name"},
    OwnField{"pipeline", FieldType::Text, "", "pipeline_name"},
    OwnField{"experiment", FieldType::Text, "", "experiments.name"},
    OwnField{"state", FieldType::Text, "",
             "CASE WHEN runs.id IN (SELECT value FROM gone) THEN 'interrupted' ELSE state END"},
    OwnField{"reason", FieldType::Text, "", "reason"},
    OwnField{"started", FieldType::Time, "", "started_ms"},
    OwnField{"finished", FieldType::Time, "", "finished_ms"},
    OwnField{"took", FieldType::Number, "s", "(finished_ms - started_ms) / 1000.0"},
    OwnField{"tag", FieldType::Tags, "",
             "(SELECT group_concat(tag, ' ') FROM (SELECT tag FROM tags WHERE run_id = runs.id "
             "ORDER BY tag))"},
    OwnField{"notes", FieldType::Text, "", "runs.notes"},
    OwnField{"baseline", FieldType::Flag, "", "coalesce(baseline_run = runs.id, 0)"},
    OwnField{"repeats", FieldType::Number, "",
             "(SELECT count(*) FROM repeats WHERE run_id = runs.id)"},
    OwnField{"failed_samples", FieldType::Number, "", "failed_samples"},
    OwnField{"engine_version", FieldType::Text, "", "engine_version"},
    OwnField{"uid", FieldType::Text, "", "uid"},
    OwnField{"digest", FieldType::Text, "", "digest"},
    OwnField{"samples_per_second", FieldType::Number, "samples/s", kRate},
};

/// Further values of a figure of a run, kept as `figure.value`.
struct MoreOfFigure {
  std::string_view metric;
  std::string_view value;
  std::string_view unit;
};
constexpr std::array kMore = {
    MoreOfFigure{"samples_per_second", "median", "samples/s"},
    MoreOfFigure{"samples_per_second", "p05", "samples/s"},
    MoreOfFigure{"samples_per_second", "p95", "samples/s"},
    MoreOfFigure{"samples_per_second", "ci95_low", "samples/s"},
    MoreOfFigure{"samples_per_second", "ci95_high", "samples/s"},
    MoreOfFigure{"shuffle_distance", "full", "share"},
    MoreOfFigure{"shuffle_distance", "deviation", "share"},
    MoreOfFigure{"shuffle_distance", "samples", ""},
    MoreOfFigure{"shuffle_class_run", "full", ""},
    MoreOfFigure{"shuffle_class_run", "deviation", ""},
    MoreOfFigure{"shuffle_file_run", "full", ""},
    MoreOfFigure{"shuffle_file_run", "deviation", ""},
    MoreOfFigure{"shuffle_batch_entropy", "full", ""},
    MoreOfFigure{"shuffle_batch_entropy", "deviation", ""},
};

/// "shuffle_batch_entropy.3": the figure of the third tenth of the epoch.
bool isPartOfEpoch(std::string_view name) {
  constexpr std::string_view kOf = "shuffle_batch_entropy.";
  const std::string_view part = name.starts_with(kOf) ? name.substr(kOf.size()) : "";
  return part == "10" || (part.size() == 1 && part.front() >= '1' && part.front() <= '9');
}

constexpr std::string_view kEnvironment = "environment.";

QueryField ownField(const OwnField& own) {
  QueryField field;
  field.name = own.name;
  field.type = own.type;
  field.unit = own.unit;
  field.value.sql = own.sql;
  return field;
}

bool isOwn(std::string_view name) {
  return std::ranges::find(kOwnFields, name, &OwnField::name) != kOwnFields.end();
}

QueryField figureField(std::string_view name, std::string_view unit) {
  QueryField field;
  field.name = name;
  field.type = FieldType::Number;
  field.unit = unit;
  field.value = {"(SELECT value FROM run_figures WHERE run_id = runs.id AND metric = ?)",
                 {std::string(name)}};
  return field;
}

std::optional<QueryField> findFigure(std::string_view name) {
  const MetricSpec* spec = findMetric(name);
  if (spec != nullptr && spec->scope == MetricScope::Run) return figureField(name, spec->unit);
  if (isPartOfEpoch(name)) return figureField(name, "ratio");
  const auto more = std::ranges::find_if(kMore, [&](const MoreOfFigure& each) {
    return name == fmt::format("{}.{}", each.metric, each.value);
  });
  return more == kMore.end() ? std::nullopt : std::optional(figureField(name, more->unit));
}

/// `decode.busy_seconds`: a figure of a node, mean of the repeats.
std::optional<QueryField> findNodeFigure(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == name.npos || dot == 0) return std::nullopt;
  const MetricSpec* spec = findMetric(fmt::format("node{}", name.substr(dot)));
  if (spec == nullptr || spec->scope != MetricScope::Node) return std::nullopt;
  QueryField field;
  field.name = name;
  field.type = FieldType::Number;
  field.unit = spec->unit;
  // The column's name comes from our own table of metrics, never from the query.
  field.value = {fmt::format("(SELECT avg({}) FROM node_figures JOIN repeats ON repeats.id = "
                             "repeat_id WHERE run_id = runs.id AND node = ?)",
                             spec->id.substr(spec->id.find('.') + 1)),
                 {std::string(name.substr(0, dot))}};
  return field;
}

/// "workers.count" for "workers_2.count".
std::string withoutCount(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == name.npos) return std::string(name);
  std::size_t end = dot;
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
  if (end == dot || end < 2 || name[end - 1] != '_') return std::string(name);
  return fmt::format("{}{}", name.substr(0, end - 1), name.substr(dot));
}

std::optional<QueryField> findSetting(std::string_view name, const QueryVocabulary& vocabulary) {
  const auto named = [&](std::string_view wanted) {
    return std::ranges::find(vocabulary, wanted, &KnownSetting::name);
  };
  auto found = named(name);
  if (found == vocabulary.end()) found = named(withoutCount(name));
  if (found == vocabulary.end()) return std::nullopt;
  QueryField field;
  field.name = name;
  field.type = FieldType::Setting;
  field.unit = found->unit;
  field.setting = *found;
  field.setting.name = name;
  field.value = settingValue(name, "'integer', 'real', 'text'");
  return field;
}

}  // namespace

SqlPiece settingValue(std::string_view name, std::string_view sqlTypes) {
  const std::size_t dot = name.find('.');
  return {fmt::format("(SELECT value FROM settings WHERE run_id = runs.id AND node = ? AND "
                      "param = ? AND typeof(value) IN ({}))",
                      sqlTypes),
          {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))}};
}

std::optional<QueryField> findField(std::string_view name, const QueryVocabulary& vocabulary) {
  if (name == "tags") name = "tag";
  if (name == "run_id") name = "number";
  const auto own = std::ranges::find(kOwnFields, name, &OwnField::name);
  if (own != kOwnFields.end()) return ownField(*own);
  if (auto figure = findFigure(name)) return figure;
  if (name.starts_with(kEnvironment)) {
    QueryField field;
    field.name = name;
    field.value = {"(SELECT value FROM environment WHERE run_id = runs.id AND key = ?)",
                   {std::string(name.substr(kEnvironment.size()))}};
    return field;
  }
  if (auto setting = findSetting(name, vocabulary)) return setting;
  return findNodeFigure(name);
}

std::vector<std::string> fieldNames(const QueryVocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const OwnField& own : kOwnFields) names.emplace_back(own.name);
  for (const MetricSpec& spec : metricSpecs())
    if (spec.scope == MetricScope::Run && !isOwn(spec.id)) names.emplace_back(spec.id);
  for (const MoreOfFigure& more : kMore)
    names.push_back(fmt::format("{}.{}", more.metric, more.value));
  for (const KnownSetting& setting : vocabulary) names.push_back(setting.name);
  return names;
}

std::string unknownFieldText(std::string_view name, const QueryVocabulary& vocabulary) {
  const std::vector<std::string> names = fieldNames(vocabulary);
  std::string like = nearest(name, names);
  const auto longer = std::ranges::find_if(
      names, [&](const std::string& known) { return !name.empty() && known.starts_with(name); });
  if (like.empty() && longer != names.end()) like = *longer;
  return fmt::format(
      "no setting, figure or field is called `{}`{}", singleLine(name),
      like.empty() ? "; `millrace runs list --help` names them" : "; did you mean `" + like + "`?");
}

}  // namespace millrace
