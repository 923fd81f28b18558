// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/diagnose/diagnosis_page.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

std::string setText(const LoaderAdvice& advice) {
  std::vector<std::string> words;
  for (const auto& [name, value] : advice.set) words.push_back(fmt::format("{}={}", name, value));
  return join(words, ", ");
}

const std::vector<LimitEvidence>& evidenceOf(const LimitFinding& finding) {
  return finding.confidence == Confidence::CannotTell ? finding.evidence : finding.limit.evidence;
}

std::string triedText(const ComparisonOutcome& tried) {
  if (tried.outcome == RunOutcome::Failed) return visibleText("failed: " + tried.reason);
  const std::string disturbed = disturbedText(tried);
  return visibleText("measured: " + describe(tried.verdict, "your arguments", "this change") +
                     (disturbed.empty() ? "" : "; " + disturbed));
}

std::string adviceLines(const LoaderDiagnosisOutcome& outcome) {
  const std::vector<LoaderAdvice>& all = outcome.measured.advice;
  if (all.empty()) return {};
  std::string text = pageSection("what to change");
  for (const LoaderAdvice& advice : all) {
    text += pageItem(advice.set.empty() ? advice.text : setText(advice) + "  " + advice.text);
    if (&advice != &all.front() || !outcome.tried) continue;
    text += std::string(kPageDeep, ' ') + wrapped(triedText(*outcome.tried), kPageDeep, kPageDeep);
  }
  return text;
}

nlohmann::ordered_json adviceJson(const LoaderDiagnosisOutcome& outcome) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const LoaderAdvice& advice : outcome.measured.advice) {
    Json set = Json::object();
    for (const auto& [name, value] : advice.set) set[name] = value;
    all.push_back({{"set", set}, {"text", validUtf8(advice.text)}});
  }
  if (!outcome.tried) return all;
  all.front()["verdict"] = nameOf(outcome.tried->verdict.kind);
  if (const auto ratio = outcome.tried->verdict.ratio) all.front()["ratio"] = *ratio;
  return all;
}

}  // namespace

std::string loaderDiagnosisText(const LoaderDiagnosisOutcome& outcome, const std::string& name,
                                const std::string& storeFlag) {
  const LoaderJobOutcome& measured = outcome.measured;
  const RunResult& result = measured.result;
  std::string text = wrapped(
      visibleText(fmt::format("{}: {} samples/s", name,
                              roundedText(result.figures.samplesPerSecond.mean.value_or(0)))),
      kIndent);
  text += wrapped(emphasised(visibleText(headlineOf(measured.limit))), kIndent);
  text += pageSection("why");
  for (const LimitEvidence& evidence : evidenceOf(measured.limit))
    text += pageItem(evidence.meaning);
  text += adviceLines(outcome);
  if (!result.reason.empty()) text += "\n" + pageItem(result.reason);
  if (!measured.identity.runId.empty())
    text +=
        "\n" + pageItem(fmt::format(
                   "The run of the unchanged loader, with the time of each step, is kept as run "
                   "{0}: millrace runs show {0}{1}",
                   measured.identity.runId, storeFlag));
  return text;
}

std::string loaderDiagnosisJson(const LoaderDiagnosisOutcome& outcome) {
  using Json = nlohmann::ordered_json;
  const LoaderJobOutcome& measured = outcome.measured;
  const LimitFinding& finding = measured.limit;
  const bool known = finding.confidence != Confidence::CannotTell;
  Json evidence = Json::array();
  for (const LimitEvidence& each : evidenceOf(finding))
    evidence.push_back({{"value", each.value}, {"meaning", validUtf8(each.meaning)}});
  Json json = {{"pipeline", validUtf8(measured.identity.pipeline)},
               {"run_id", measured.identity.runId},
               {"outcome", nameOf(measured.result.outcome)},
               {"samples_per_second", measured.result.figures.samplesPerSecond.mean.value_or(0)},
               {"limit",
                {{"kind", known ? Json(nameOf(finding.limit.kind)) : Json()},
                 {"node", validUtf8(finding.limit.node)},
                 {"with", finding.limit.with},
                 {"sure", nameOf(finding.confidence)}}},
               {"evidence", evidence},
               {"advice", adviceJson(outcome)}};
  return json.dump();
}

}  // namespace millrace::cli
