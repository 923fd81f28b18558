// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/results/verdict_json.h"

#include "core/events/json/json_fields.inl"

namespace millrace {

template <class Fields>
void describe(Fields& fields, VerdictSummary& verdict) {
  fields.name("kind", verdict.kind, VerdictKind::NotAlike);
  fields("measured", verdict.measured);
  fields("ratio", verdict.ratio);
  fields("ratio_ci95_low", verdict.ratioLow);
  fields("ratio_ci95_high", verdict.ratioHigh);
  fields("p", verdict.p);
  fields("smallest_difference", verdict.smallestDifference);
  fields("repeats", verdict.repeats);
  fields("more_wanted", verdict.moreWanted);
  fields("differs", verdict.differs);
  fields("sentence", verdict.sentence);
}

VerdictSummary summaryOf(const Verdict& verdict, const std::string& a, const std::string& b) {
  VerdictSummary summary;
  summary.kind = verdict.kind;
  summary.measured = verdict.how == MeasuredHow::Together ? "together" : "apart";
  summary.ratio = verdict.ratio;
  if (verdict.ratio95) summary.ratioLow = verdict.ratio95->low;
  if (verdict.ratio95) summary.ratioHigh = verdict.ratio95->high;
  summary.p = verdict.p;
  summary.smallestDifference = verdict.smallestDifference;
  summary.repeats = {verdict.repeatsA, verdict.repeatsB};
  summary.moreWanted = verdict.moreWanted;
  summary.differs = verdict.differs;
  summary.sentence = describe(verdict, a, b);
  return summary;
}

Json verdictJson(const VerdictSummary& summary) { return jsonOf(summary); }

Json verdictJson(const Verdict& verdict, const std::string& a, const std::string& b) {
  return jsonOf(summaryOf(verdict, a, b));
}

VerdictSummary readVerdict(const Json& json) {
  VerdictSummary summary;
  readJsonInto(json, summary);
  return summary;
}

}  // namespace millrace
