// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/data_report_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/events/json/json_fields.inl"
#include "core/events/json/name_bytes.h"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

/// A name of a file; one that is not UTF-8 is read from its bytes.
template <class Fields>
void describeName(Fields& fields, const char* key, const char* bytesKey, std::string& name) {
  fields(key, name);
  std::string bytes;
  if constexpr (!kReadsJson<Fields>) {
    bytes = bytesOfName(name);
    if (bytes.empty()) return;
  }
  fields(bytesKey, bytes);
  if constexpr (kReadsJson<Fields>) takeBytesOfName(bytes, name);
}

/// The same for a list: the bytes are a list of the same length, with an empty text for each name
/// that is UTF-8.
template <class Fields>
void describeNames(Fields& fields, const char* key, const char* bytesKey,
                   std::vector<std::string>& names) {
  fields(key, names);
  std::vector<std::string> bytes;
  if constexpr (!kReadsJson<Fields>) {
    for (const std::string& name : names) bytes.push_back(bytesOfName(name));
    if (std::ranges::all_of(bytes, [](const std::string& each) { return each.empty(); })) return;
  }
  fields(bytesKey, bytes);
  if constexpr (kReadsJson<Fields>)
    for (std::size_t i = 0; i < std::min(bytes.size(), names.size()); ++i)
      takeBytesOfName(bytes[i], names[i]);
}

/// The same for a file that need not be known.
template <class Fields>
void describeFile(Fields& fields, const char* key, const char* bytesKey, std::string& file) {
  if constexpr (!kReadsJson<Fields>)
    if (file.empty()) return;
  describeName(fields, key, bytesKey, file);
}

}  // namespace

template <class Fields>
void describe(Fields& fields, ReportedSample& sample) {
  fields("set", sample.set);
  describeName(fields, "sample", "sample_bytes", sample.name);
  describeFile(fields, "file", "file_bytes", sample.file);
  fields.text("reason", sample.reason);
  fields.text("like_set", sample.likeSet);
  if (!kReadsJson<Fields> && sample.like.empty())
    fields.text("like", sample.like);
  else
    describeName(fields, "like", "like_bytes", sample.like);
  describeFile(fields, "like_file", "like_file_bytes", sample.likeFile);
  fields("index", sample.index);
  if (kReadsJson<Fields> || !sample.like.empty()) fields("like_index", sample.likeIndex);
}

template <class Fields>
void describe(Fields& fields, ReportedFinding& finding) {
  fields.name("finding", finding.finding, Finding::NearShared);
  fields("count", finding.count);
  fields("samples", finding.samples);
}

template <class Fields>
void describe(Fields& fields, SlowSample& sample) {
  describeName(fields, "sample", "sample_bytes", sample.name);
  describeFile(fields, "file", "file_bytes", sample.file);
  fields("width", sample.width);
  fields("height", sample.height);
  fields("bytes", sample.bytes);
  fields("milliseconds", sample.milliseconds);
  fields("index", sample.index);
}

template <class Fields>
void describe(Fields& fields, SideRange& range) {
  fields("least", range.least);
  fields("median", range.median);
  fields("most", range.most);
}

template <class Fields>
void describe(Fields& fields, SetReport& set) {
  fields("name", set.name);
  describeName(fields, "path", "path_bytes", set.path);
  fields("kind", set.kind);
  fields("node", set.node);
  fields("parts_of_files", set.partsOfFiles);
  fields("samples", set.samples);
  fields("examined", set.examined);
  fields("resumed", set.resumed);
  fields("bytes", set.bytes);
  fields("decode_cpu_seconds", set.decodeSeconds);
  describeNames(fields, "classes", "classes_bytes", set.classes);
  fields("per_class", set.perClass);
  fields("unlabelled", set.unlabelled);
  fields("pictures", set.pictures);
  fields("width", set.width);
  fields("height", set.height);
  fields("longer_side", set.longerSide);
  fields("decode_times", set.decodeTimes);
  fields("proportions", set.proportions);
  fields("formats", set.formats);
  fields("channels", set.channels);
  fields("bits", set.bits);
  fields("orientations", set.orientations);
  fields("mean", set.mean);
  fields("deviation", set.deviation);
  fields("slowest", set.slowest);
}

template <class Fields>
void describe(Fields& fields, DataReport& report) {
  describeName(fields, "path", "path_bytes", report.path);
  fields("sets", report.sets);
  fields("findings", report.findings);
  fields("notes", report.notes);
  fields("seconds", report.seconds);
  fields("workers", report.workers);
  fields("interrupted", report.interrupted);
  fields.text("next", report.next);
}

namespace {

Json reportObject(const DataReport& report) {
  Json all = jsonOf(report);
  all["format_version"] = 1;
  return all;
}

}  // namespace

std::string dataReportJson(const DataReport& report, bool indented) {
  return dumpJson(reportObject(report), indented) + (indented ? "\n" : "");
}

std::string dataReportEvent(double time, const DataReport& report) {
  Json all = reportObject(report);
  all["event"] = "result";
  all[kOutcomeKey] = nameOf(report.interrupted ? RunOutcome::Interrupted : RunOutcome::Finished);
  all["time"] = time;
  return dumpJson(all);
}

std::optional<DataReport> parseDataReport(std::string_view json) {
  const Json all = parsedJson(json);
  if (!all.is_object()) return std::nullopt;
  DataReport report;
  readJsonInto(all, report);
  return report;
}

}  // namespace millrace
