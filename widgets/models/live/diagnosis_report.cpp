// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/diagnosis_report.h"

#include "core/analysis/cause_text.h"
#include "core/events/stream/event_json.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

QStringList meaningsOf(const std::vector<LimitEvidence>& evidence) {
  QStringList lines;
  for (const LimitEvidence& each : evidence) lines << sentence(each.meaning);
  return lines;
}

QStringList notesOf(const DiagnosisSummary& summary) {
  QStringList notes;
  notes << shownCount(static_cast<std::int64_t>(summary.runs.front().rates.size()), "block") +
               ". Each variant ran once per block, in random order.";
  if (summary.disturbed > 0)
    notes << QString(
                 "Disturbed by other programs or by a change of core speed: %1. Measure "
                 "again on a quiet machine.")
                 .arg(shownCount(static_cast<std::int64_t>(summary.disturbed), "block"));
  if (!summary.pageCache.empty()) notes << sentence(summary.pageCache);
  for (const std::string& each : summary.leftOut) notes << "Left out: " + toQt(each) + '.';
  for (const std::string& each : summary.finding.notMeasured)
    notes << "Not measured: " + toQt(each) + '.';
  return notes;
}

}  // namespace

QString DiagnosisReport::headline() const { return limitHeadline(finding); }

QString limitHeadline(const LimitFinding& limit) {
  QString words = toQt(limitOf(limit));
  words[0] = words[0].toUpper();
  return words;
}

std::optional<DiagnosisReport> diagnosisOf(const std::string& result) {
  const std::optional<DiagnosisSummary> summary = readDiagnosis(result);
  if (!summary || summary->runs.empty()) return std::nullopt;
  DiagnosisReport report;
  report.samplesPerSecond = summary->samplesPerSecond;
  report.finding = summary->finding;
  report.evidence = meaningsOf(summary->finding.evidence);
  for (const LimitCause& cause : summary->finding.also)
    if (const QString line = sentence(causeText(cause)); !report.evidence.contains(line))
      report.also << line;
  report.also.removeDuplicates();
  if (summary->stalls && summary->stalls->batchSeconds > 0) report.stalls = summary->stalls;
  report.advice = summary->advice;
  for (const DiagnosisRun& run : summary->runs)
    report.runs.push_back({toQt(run.what), run.rate().value_or(0)});
  report.notes = notesOf(*summary);
  report.runId = toQt(summary->runId);
  report.whole = summary->outcome == nameOf(RunOutcome::Finished);
  return report;
}

}  // namespace millrace
