// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/results/diagnosis_summary.h"

#include <type_traits>

#include "core/base/text/parsed_json.h"
#include "core/events/json/json_fields.inl"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

constexpr const char* kCache = "cache";  ///< the only node that is added
constexpr const char* kLimitKey = "limit";
constexpr const char* kChangesKey = "changes";
constexpr const char* kAdviceKey = "advice";
constexpr const char* kSamplesChangeKey = "changes_samples";
constexpr const char* kTextKey = "text";

/// A LimitFinding's limit; without kind and node if it is not certain.
struct LimitObject {
  std::optional<std::string> kind;
  std::string node;
  std::vector<std::string> with;
  Confidence confidence = Confidence::CannotTell;
};

/// The keys of every kind of edit.
struct EditObject {
  std::optional<std::string> node, param, from, to, add, behind, limit, move, before;
};

}  // namespace

template <class Fields>
void describe(Fields& fields, LimitEvidence& evidence) {
  fields("metric", evidence.metric);
  fields("value", evidence.value);
  fields("meaning", evidence.meaning);
}

template <class Fields>
void describe(Fields& fields, LimitCause& cause) {
  fields.name("kind", cause.kind, LimitKind::None);
  fields.text("node", cause.node);
  fields("with", cause.with);
  fields("share", cause.share);
  fields("evidence", cause.evidence);
}

template <class Fields>
void describe(Fields& fields, RatePrediction& predicted) {
  fields("low", predicted.low);
  fields("middle", predicted.middle);
  fields("high", predicted.high);
}

template <class Fields>
void describe(Fields& fields, RateRatio& ratio) {
  fields("mean", ratio.mean);
  fields("least", ratio.least);
  fields("most", ratio.most);
}

template <class Fields>
void describe(Fields& fields, StallSplit& split) {
  fields("batch", split.batchSeconds);
  fields("fetch", split.fetch);
  fields("prepare", split.prepare);
  fields("transfer", split.transfer);
  fields("step", split.step);
  fields("fetch_by_run", split.fetchByRun);
}

template <class Fields>
void describe(Fields& fields, DiagnosisRun& run) {
  fields.name("probe", run.probe, Probe::Advised);
  fields("what", run.what);
  fields("rates", run.rates);
}

namespace {

template <class Fields>
void describe(Fields& fields, LimitObject& limit) {
  fields("kind", limit.kind);
  fields.text("node", limit.node);
  fields("with", limit.with);
  fields.name("sure", limit.confidence, Confidence::CannotTell);
}

template <class Fields>
void describe(Fields& fields, EditObject& edit) {
  const auto each = [&fields](const char* key, std::optional<std::string>& value) {
    // An edit has only the keys of its kind.
    if (std::is_same_v<Fields, JsonReader> || value) fields(key, value);
  };
  each("node", edit.node);
  each("param", edit.param);
  each("from", edit.from);
  each("to", edit.to);
  each("add", edit.add);
  each("behind", edit.behind);
  each("limit", edit.limit);
  each("move", edit.move);
  each("before", edit.before);
}

/// What every advice has besides its edit.
template <class Fields>
void describeText(Fields& fields, Advice& advice) {
  fields(kTextKey, advice.text);
  fields.text("costs", advice.costs);
  fields.name(kSamplesChangeKey, advice.changes, SampleChange::Content);
}

EditObject objectOf(const Advice& edit) {
  EditObject object;
  switch (edit.edit) {
    case Advice::Edit::Parameter:
      object.node = edit.node;
      object.param = edit.param;
      object.from = edit.from;
      object.to = edit.to;
      break;
    case Advice::Edit::AddCache:
      object.add = kCache;
      object.behind = edit.node;
      object.limit = edit.to;
      break;
    case Advice::Edit::MoveNode:
      object.move = edit.node;
      object.before = edit.to;
      break;
    case Advice::Edit::Words: break;
  }
  return object;
}

void takeEdit(const EditObject& object, Advice& edit) {
  if (object.param) {
    edit.edit = Advice::Edit::Parameter;
    edit.node = object.node.value_or("");
    edit.param = *object.param;
    edit.from = object.from.value_or("");
    edit.to = object.to.value_or("");
  } else if (object.add == kCache) {
    edit.edit = Advice::Edit::AddCache;
    edit.node = object.behind.value_or("");
    edit.to = object.limit.value_or("");
  } else if (object.move) {
    edit.edit = Advice::Edit::MoveNode;
    edit.node = *object.move;
    edit.to = object.before.value_or("");
  }
}

LimitFinding findingOf(const Json& json) {
  LimitObject object;
  readJsonInto(json, object);
  LimitFinding finding;
  finding.confidence = object.confidence;
  finding.limit.node = object.node;
  finding.limit.with = object.with;
  for (int i = 0; i <= static_cast<int>(LimitKind::None); ++i)
    if (nameOf(static_cast<LimitKind>(i)) == object.kind)
      finding.limit.kind = static_cast<LimitKind>(i);
  return finding;
}

}  // namespace

template <class Fields>
void describe(Fields& fields, DiagnosisSummary::Advised& advised) {
  describeText(fields, advised.advice);
  fields("predicted_samples_per_second", advised.predicted);
  fields("measured_ratio", advised.measured);
}

template <class Fields>
void describe(Fields& fields, DiagnosisSummary& summary) {
  fields(kPipelineKey, summary.pipeline);
  fields(kOutcomeKey, summary.outcome);
  fields.text(kReasonKey, summary.reason);
  fields.text(kRunIdKey, summary.runId);
  fields.text("page_cache", summary.pageCache);
  fields.text("applied", summary.applied);
  fields.text("unchanged_because", summary.unchanged);
  fields("samples_per_second", summary.samplesPerSecond);
  fields("evidence", summary.finding.evidence);
  fields("also", summary.finding.also);
  fields.text("decides", summary.finding.decides);
  fields("not_measured", summary.finding.notMeasured);
  fields(kAdviceKey, summary.advice);
  fields("stall_seconds_per_batch", summary.stalls);
  fields("runs", summary.runs);
  fields("left_out", summary.leftOut);
  fields("replaced_blocks", summary.replaced);
  fields("disturbed_blocks", summary.disturbed);
}

namespace {

RunOutcome outcomeOf(BlockEnd end) {
  if (end == BlockEnd::Finished) return RunOutcome::Finished;
  return end == BlockEnd::Failed ? RunOutcome::Failed : RunOutcome::Interrupted;
}

bool isOpen(const LimitFinding& finding) { return finding.confidence == Confidence::CannotTell; }

DiagnosisSummary summaryOf(const DiagnosisOutcome& outcome) {
  const DiagnosisResult& result = outcome.result;
  DiagnosisSummary summary;
  summary.pipeline = outcome.pipeline;
  summary.outcome = nameOf(outcomeOf(result.end));
  summary.reason = result.reason;
  summary.runId = outcome.runId;
  summary.pageCache = outcome.pageCache;
  summary.applied = outcome.applied;
  summary.unchanged = outcome.unchanged;
  if (!result.runs.empty()) summary.samplesPerSecond = result.runs.front().rate();
  summary.finding = result.finding;
  if (!isOpen(result.finding)) summary.finding.evidence = result.finding.limit.evidence;
  for (std::size_t i = 0; i < result.advice.size(); ++i)
    summary.advice.push_back(
        {result.advice[i], result.predicted[i], i == 0 ? result.adviceGave : std::nullopt});
  summary.stalls = result.stalls;
  summary.runs = result.runs;
  summary.leftOut = result.leftOut;
  summary.replaced = result.replaced;
  summary.disturbed = result.disturbed;
  return summary;
}

/// The items of an array; empty for anything else.
const Json& arrayAt(const Json& json, const char* key) {
  static const Json none = Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : none;
}

Advice editOf(const Json& json) {
  Advice edit;
  if (!json.is_object()) return edit;
  EditObject object;
  readJsonInto(json, object);
  takeEdit(object, edit);
  JsonReader reader(json);
  // An unknown kind of change may change everything.
  std::optional<std::string> changes;
  reader(kSamplesChangeKey, changes);
  if (changes) edit.changes = SampleChange::Content;
  describeText(reader, edit);
  return edit;
}

}  // namespace

Json limitJson(const LimitFinding& finding) {
  LimitObject object;
  object.confidence = finding.confidence;
  if (isOpen(finding)) return jsonOf(object);
  object.kind = nameOf(finding.limit.kind);
  object.node = finding.limit.node;
  object.with = finding.limit.with;
  return jsonOf(object);
}

LimitFinding limitFrom(const Json& json) { return findingOf(json); }

Json editJson(const Advice& edit) { return jsonOf(objectOf(edit)); }

Json describedEditJson(const Advice& edit) {
  Json json = editJson(edit);
  json[kSamplesChangeKey] = nameOf(edit.changes);
  json[kTextKey] = edit.editText();
  return json;
}

Advice readEdit(std::string_view json) { return editOf(parsedJson(json)); }

Advice editFrom(const Json& json) { return editOf(json); }

std::string diagnosisJson(const DiagnosisOutcome& outcome, bool indented) {
  const DiagnosisSummary summary = summaryOf(outcome);
  Json json = jsonOf(summary);
  json[kFormatVersionKey] = 1;
  json[kLimitKey] = summary.runs.empty() ? Json() : limitJson(summary.finding);
  for (std::size_t i = 0; i < summary.advice.size(); ++i) {
    const Advice& advice = summary.advice[i].advice;
    Json& object = json[kAdviceKey][i];
    object["edit"] = orNull(advice.editText());
    object[kChangesKey] = Json::array();
    if (advice.edit != Advice::Edit::Words) object[kChangesKey].push_back(editJson(advice));
  }
  return dumpJson(json, indented);
}

std::optional<DiagnosisSummary> readDiagnosis(std::string_view text) {
  const Json json = parsedJson(text);
  if (!json.is_object()) return std::nullopt;
  DiagnosisSummary summary;
  readJsonInto(json, summary);
  if (const auto limit = json.find(kLimitKey); limit != json.end()) {
    const LimitFinding limited = findingOf(*limit);
    summary.finding.confidence = limited.confidence;
    summary.finding.limit = limited.limit;
  }
  const Json& advice = arrayAt(json, kAdviceKey);
  for (std::size_t i = 0; i < summary.advice.size(); ++i) {
    const Json& changes = arrayAt(advice[i], kChangesKey);
    EditObject edit;
    if (changes.size() == 1) readJsonInto(changes.front(), edit);
    takeEdit(edit, summary.advice[i].advice);
  }
  return summary;
}

}  // namespace millrace
