// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/diagnose/diagnosis_page.h"
#include "core/events/json_text.h"

namespace millrace::cli {

namespace {

Json evidenceJson(const std::vector<LimitEvidence>& all) {
  Json json = Json::array();
  for (const LimitEvidence& evidence : all)
    json.push_back(
        {{"metric", evidence.metric}, {"value", evidence.value}, {"meaning", evidence.meaning}});
  return json;
}

Json causeJson(const LimitCause& cause) {
  return {{"kind", nameOf(cause.kind)},
          {"node", orNull(cause.node)},
          {"share", cause.share},
          {"evidence", evidenceJson(cause.evidence)}};
}

Json changesJson(const Advice& advice) {
  switch (advice.edit) {
    case Advice::Edit::Parameter:
      return {{{"node", advice.node},
               {"param", advice.param},
               {"from", advice.from},
               {"to", advice.to}}};
    case Advice::Edit::AddCache:
      return {{{"add", "cache"}, {"behind", advice.node}, {"limit", advice.to}}};
    case Advice::Edit::MoveNode: return {{{"move", advice.node}, {"before", advice.to}}};
    case Advice::Edit::Words: break;
  }
  return Json::array();
}

Json ratioJson(const RateRatio& ratio) {
  return {{"mean", ratio.mean}, {"least", ratio.least}, {"most", ratio.most}};
}

Json predictedJson(const std::optional<RatePrediction>& predicted) {
  if (!predicted) return {};
  return {{"low", predicted->low}, {"middle", predicted->middle}, {"high", predicted->high}};
}

Json adviceJson(const DiagnosisResult& result) {
  Json json = Json::array();
  for (const Advice& advice : result.advice) {
    const bool measured = result.adviceGave && json.empty();
    json.push_back({{"edit", orNull(advice.editText())},
                    {"changes", changesJson(advice)},
                    {"text", advice.text},
                    {"costs", orNull(advice.costs)},
                    {"changes_samples", nameOf(advice.changes)},
                    {"predicted_samples_per_second", predictedJson(result.predicted[json.size()])},
                    {"measured_ratio", measured ? ratioJson(*result.adviceGave) : Json()}});
  }
  return json;
}

Json stallJson(const std::optional<StallSplit>& split) {
  if (!split) return {};
  return {{"batch", split->batchSeconds},      {"fetch", orNull(split->fetch)},
          {"prepare", orNull(split->prepare)}, {"transfer", orNull(split->transfer)},
          {"step", orNull(split->step)},       {"fetch_by_run", split->fetchByRun}};
}

Json runsJson(const DiagnosisResult& result) {
  Json json = Json::array();
  for (const DiagnosisRun& run : result.runs)
    json.push_back({{"probe", nameOf(run.probe)}, {"what", run.what}, {"rates", run.rates}});
  return json;
}

const char* outcomeName(BlockEnd end) {
  if (end == BlockEnd::Finished) return "finished";
  return end == BlockEnd::Failed ? "failed" : "interrupted";
}

}  // namespace

Json limitJson(const LimitFinding& finding) {
  const bool open = finding.sure == Confidence::CannotTell;
  return {{"kind", open ? Json() : Json(nameOf(finding.limit.kind))},
          {"node", open ? Json() : orNull(finding.limit.node)},
          {"sure", nameOf(finding.sure)}};
}

std::string diagnosisJson(const DiagnosisResult& result, const DiagnosisIdentity& identity,
                          bool indented) {
  Json json = {{"format_version", 1},
               {"pipeline", identity.pipeline},
               {"outcome", outcomeName(result.end)},
               {"reason", orNull(result.reason)},
               {"run_id", orNull(identity.runId)},
               {"page_cache", orNull(identity.pageCache)},
               {"applied", orNull(identity.applied)}};
  const bool measured = !result.runs.empty();
  json["samples_per_second"] = measured ? Json(result.counters.samplesPerSecond()) : Json();
  json["limit"] = measured ? limitJson(result.finding) : Json();
  const bool open = result.finding.sure == Confidence::CannotTell;
  json["evidence"] = evidenceJson(open ? result.finding.evidence : result.finding.limit.evidence);
  json["also"] = Json::array();
  for (const LimitCause& cause : result.finding.also) json["also"].push_back(causeJson(cause));
  json["decides"] = orNull(result.finding.decides);
  json["not_measured"] = result.finding.notMeasured;
  json["advice"] = adviceJson(result);
  json["stall_seconds_per_batch"] = stallJson(result.stalls);
  json["runs"] = runsJson(result);
  json["left_out"] = result.leftOut;
  json["replaced_blocks"] = result.replaced;
  json["disturbed_blocks"] = result.disturbed;
  return dumpJson(json, indented);
}

}  // namespace millrace::cli
