// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/diagnosis_report.h"

#include <algorithm>

#include <QJsonArray>

#include "core/analysis/statistics.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/json_values.h"
#include "widgets/models/live/advice_edits.h"

namespace millrace {

namespace {

/// The enumerator of this name; `otherwise` if there is none.
template <class Enum>
Enum named(const QString& name, Enum last, Enum otherwise) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (toQt(nameOf(static_cast<Enum>(i))) == name) return static_cast<Enum>(i);
  return otherwise;
}

std::string textAt(const QJsonObject& json, const char* key) {
  return fromQt(json[key].toString());
}

LimitCause causeOf(const QJsonObject& json) {
  LimitCause cause;
  cause.kind = named(json["kind"].toString(), LimitKind::None, LimitKind::None);
  cause.node = textAt(json, "node");
  cause.share = json["share"].toDouble();
  return cause;
}

QStringList meaningsOf(const QJsonArray& evidence) {
  QStringList lines;
  for (const QJsonValue& each : evidence)
    lines << sentence(fromQt(each.toObject()["meaning"].toString()));
  return lines;
}

LimitFinding findingOf(const QJsonObject& result) {
  const QJsonObject limit = result["limit"].toObject();
  LimitFinding finding;
  finding.sure = named(limit["sure"].toString(), Confidence::CannotTell, Confidence::CannotTell);
  finding.limit = causeOf(limit);
  finding.decides = textAt(result, "decides");
  return finding;
}

Advice adviceOf(const QJsonObject& json) {
  const QJsonArray changes = json["changes"].toArray();
  Advice advice = editOf(changes.size() == 1 ? changes.first().toObject() : QJsonObject());
  advice.text = textAt(json, "text");
  advice.costs = textAt(json, "costs");
  advice.changes =
      named(json["changes_samples"].toString(), SampleChange::Content, SampleChange::Content);
  return advice;
}

DiagnosisReport::Advised advisedOf(const QJsonObject& json) {
  DiagnosisReport::Advised advised{adviceOf(json), {}, {}};
  const QJsonObject predicted = json["predicted_samples_per_second"].toObject();
  if (!predicted.isEmpty())
    advised.predicted = RatePrediction{predicted["low"].toDouble(), predicted["middle"].toDouble(),
                                       predicted["high"].toDouble()};
  const QJsonObject ratio = json["measured_ratio"].toObject();
  if (!ratio.isEmpty())
    advised.measured =
        RateRatio{ratio["mean"].toDouble(), ratio["least"].toDouble(), ratio["most"].toDouble()};
  return advised;
}

std::optional<StallSplit> stallsOf(const QJsonObject& json) {
  if (json["batch"].toDouble() <= 0) return std::nullopt;
  StallSplit split;
  split.batchSeconds = json["batch"].toDouble();
  split.fetch = numberAt(json, "fetch");
  split.prepare = numberAt(json, "prepare");
  split.transfer = numberAt(json, "transfer");
  split.step = numberAt(json, "step");
  split.fetchByRun = json["fetch_by_run"].toBool();
  return split;
}

std::vector<DiagnosisReport::Run> runsOf(const QJsonArray& json, std::size_t& blocks) {
  std::vector<DiagnosisReport::Run> runs;
  for (const QJsonValue& each : json) {
    std::vector<double> rates;
    for (const QJsonValue& rate : each.toObject()["rates"].toArray())
      rates.push_back(rate.toDouble());
    if (runs.empty()) blocks = rates.size();
    runs.push_back({each.toObject()["what"].toString(), geometricMean(rates).value_or(0)});
  }
  return runs;
}

QStringList notesOf(const QJsonObject& result, std::size_t blocks) {
  QStringList notes;
  notes << shownCount(static_cast<std::int64_t>(blocks), "block") +
               ". Each variant ran once per block, in random order.";
  if (const int disturbed = result["disturbed_blocks"].toInt(); disturbed > 0)
    notes << QString(
                 "Disturbed by other programs or by a change of core speed: %1. Measure "
                 "again on a quiet machine.")
                 .arg(shownCount(disturbed, "block"));
  if (const QString cache = result["page_cache"].toString(); !cache.isEmpty())
    notes << sentence(fromQt(cache));
  for (const QJsonValue& each : result["left_out"].toArray())
    notes << "Left out: " + each.toString() + '.';
  for (const QJsonValue& each : result["not_measured"].toArray())
    notes << "Not measured: " + each.toString() + '.';
  return notes;
}

QString shownHeadline(const LimitFinding& finding) {
  switch (finding.sure) {
    case Confidence::Yes: return "Limit: " + toQt(titleOf(finding.limit));
    case Confidence::Likely: return "Likely limit: " + toQt(titleOf(finding.limit));
    case Confidence::CannotTell: break;
  }
  return "The limit could not be determined";
}

}  // namespace

QString DiagnosisReport::headline() const { return shownHeadline(finding); }

QString limitHeadline(const LimitFinding& limit) { return shownHeadline(limit); }

std::optional<DiagnosisReport> diagnosisOf(const QJsonObject& result) {
  const QJsonArray runs = result["runs"].toArray();
  if (runs.isEmpty()) return std::nullopt;
  DiagnosisReport report;
  std::size_t blocks = 0;
  report.samplesPerSecond = numberAt(result, "samples_per_second");
  report.finding = findingOf(result);
  report.evidence = meaningsOf(result["evidence"].toArray());
  for (const QJsonValue& each : result["also"].toArray()) {
    const QStringList why = meaningsOf(each.toObject()["evidence"].toArray());
    report.also << toQt(titleOf(causeOf(each.toObject()))) +
                       (why.isEmpty() ? QString() : ": " + why.first());
  }
  report.stalls = stallsOf(result["stall_seconds_per_batch"].toObject());
  for (const QJsonValue& each : result["advice"].toArray())
    report.advice.push_back(advisedOf(each.toObject()));
  report.runs = runsOf(runs, blocks);
  report.notes = notesOf(result, blocks);
  report.runId = result["run_id"].toString();
  report.whole = result["outcome"].toString() == "finished";
  return report;
}

}  // namespace millrace
