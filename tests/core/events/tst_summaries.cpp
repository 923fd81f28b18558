// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The results of comparisons and diagnoses: what is written is what is read.
#include <nlohmann/json.hpp>

#include "core/events/results/comparison_summary.h"
#include "core/events/results/diagnosis_summary.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

SpanFigures spanOf(double rate) {
  SpanFigures span;
  span.samplesPerSecond.mean = rate;
  return span;
}

ComparisonOutcome comparison() {
  BlockResult blocks;
  for (const double b : {200.0, 202.0, 198.0, 201.0, 199.0})
    blocks.measured.blocks.push_back({{spanOf(100), spanOf(b)}, b == 202.0});
  blocks.measured.replaced = 1;
  blocks.measured.disturbance = "another program";
  ComparisonOutcome outcome = outcomeOf(blocks, {}, {});
  outcome.sides[0].runId = "7";
  outcome.sides[0].pipeline = "a.json";
  outcome.sides[1].pipeline = "b.json";
  outcome.differences = {{"workers.count", "2", "4"}};
  return outcome;
}

DiagnosisOutcome diagnosis() {
  DiagnosisOutcome outcome;
  outcome.pipeline = "p.json";
  outcome.runId = "3";
  outcome.pageCache = "Page cache: warm, as it was found.";
  DiagnosisResult& result = outcome.result;
  result.finding.confidence = Confidence::Likely;
  result.finding.limit = {LimitKind::Decode, "decode", 0.8, {{"node.busy", 0.8, "it is busy"}}};
  result.finding.also = {{LimitKind::Read, "", 0.1, {{"read", 0.1, "it reads"}}}};
  result.finding.notMeasured = {"no device"};
  Advice workers;
  workers.edit = Advice::Edit::Parameter;
  workers.node = "workers";
  workers.param = "count";
  workers.from = "2";
  workers.to = "4";
  workers.text = "two more threads";
  workers.costs = "cores";
  Advice words;
  words.text = "use faster storage";
  words.changes = SampleChange::Order;
  result.advice = {workers, words};
  result.predicted = {RatePrediction{90, 100, 110}, std::nullopt};
  result.adviceGave = RateRatio{1.5, 1.4, 1.6};
  result.stalls = StallSplit{0.5, 0.1, 0.2, std::nullopt, 0.2, true};
  result.runs = {{Probe::Baseline, "unmodified", {100, 101}}, {Probe::Advised, "advised", {150}}};
  result.leftOut = {"to decode: no decoder"};
  result.replaced = 2;
  result.disturbed = 1;
  return outcome;
}

}  // namespace

class TestSummaries : public QObject {
  Q_OBJECT
 private slots:
  void aComparisonIsReadAsItWasWritten() {
    const auto read = readComparison(comparisonJson(comparison(), false));
    QVERIFY(read);
    QCOMPARE(read->outcome, std::string("finished"));
    QVERIFY(read->reason.empty());
    QVERIFY(read->verdict);
    QVERIFY(read->verdict->kind == VerdictKind::Faster);
    QCOMPARE(read->verdict->measured, std::string("together"));
    QVERIFY(read->verdict->ratio && *read->verdict->ratio > 1.9 && *read->verdict->ratio < 2.1);
    QVERIFY(read->verdict->ratioLow.value() < read->verdict->ratioHigh.value());
    QCOMPARE(read->verdict->repeats, (std::vector<std::size_t>{5, 5}));
    QVERIFY(read->verdict->sentence.starts_with("B is "));
    QCOMPARE(read->differences.size(), 1U);
    QCOMPARE(read->differences[0].b, std::string("4"));
    QCOMPARE(read->blocks.size(), 5U);
    QCOMPARE(read->blocks[1].rates, (std::vector<double>{100, 202}));
    QVERIFY(read->blocks[1].disturbed && !read->blocks[0].disturbed);
    QCOMPARE(read->replacedBlocks, 1U);
    QVERIFY(read->disturbance.starts_with("1 of 5 blocks disturbed"));
    QCOMPARE(read->a.runId, std::string("7"));
    QVERIFY(read->b.runId.empty());
    QCOMPARE(read->b.pipeline, std::string("b.json"));
  }

  void absentValuesOfAComparisonAreNull() {
    const auto json = nlohmann::json::parse(comparisonJson(comparison(), true));
    QVERIFY(json["reason"].is_null());
    QVERIFY(json["b"]["run_id"].is_null());
    QCOMPARE(json["format_version"].get<int>(), 1);
    QVERIFY(json["a"].contains("samples_per_second"));
  }

  void aDiagnosisIsReadAsItWasWritten() {
    const auto read = readDiagnosis(diagnosisJson(diagnosis(), false));
    QVERIFY(read);
    QCOMPARE(read->outcome, std::string("finished"));
    QCOMPARE(read->pipeline, std::string("p.json"));
    QCOMPARE(read->runId, std::string("3"));
    QVERIFY(read->pageCache.starts_with("Page cache: warm"));
    QVERIFY(read->applied.empty());
    QVERIFY(read->finding.confidence == Confidence::Likely);
    QVERIFY(read->finding.limit.kind == LimitKind::Decode);
    QCOMPARE(read->finding.limit.node, std::string("decode"));
    QCOMPARE(read->finding.evidence.size(), 1U);
    QCOMPARE(read->finding.evidence[0].meaning, std::string("it is busy"));
    QVERIFY(read->finding.also.at(0).kind == LimitKind::Read);
    QCOMPARE(read->finding.also.at(0).evidence.at(0).metric, std::string("read"));
    QCOMPARE(read->finding.notMeasured, std::vector<std::string>{"no device"});
    QCOMPARE(read->advice.size(), 2U);
    QCOMPARE(read->advice[0].advice.editText(), std::string("workers.count 2 -> 4"));
    QCOMPARE(read->advice[0].advice.costs, std::string("cores"));
    QCOMPARE(read->advice[0].predicted.value().middle, 100.0);
    QCOMPARE(read->advice[0].measured.value().least, 1.4);
    QVERIFY(read->advice[1].advice.edit == Advice::Edit::Words);
    QVERIFY(read->advice[1].advice.changes == SampleChange::Order);
    QVERIFY(!read->advice[1].predicted && !read->advice[1].measured);
    QCOMPARE(read->stalls.value().step.value(), 0.2);
    QVERIFY(!read->stalls->transfer && read->stalls->fetchByRun);
    QCOMPARE(read->runs.size(), 2U);
    QVERIFY(read->runs[1].probe == Probe::Advised);
    QCOMPARE(read->runs[0].rates, (std::vector<double>{100, 101}));
    QCOMPARE(read->leftOut.size(), 1U);
    QCOMPARE(read->replaced, 2U);
    QCOMPARE(read->disturbed, 1U);
  }

  void anOpenLimitHasNoKind() {
    DiagnosisOutcome open = diagnosis();
    open.result.finding.confidence = Confidence::CannotTell;
    open.result.finding.evidence = {{"", 0, "they contradict each other"}};
    const std::string text = diagnosisJson(open, false);
    QVERIFY(nlohmann::json::parse(text)["limit"]["kind"].is_null());
    const auto read = readDiagnosis(text);
    QVERIFY(read->finding.confidence == Confidence::CannotTell);
    QCOMPARE(read->finding.evidence.at(0).meaning, std::string("they contradict each other"));
  }

  void aDiagnosisWithoutRunsHasNoLimit() {
    DiagnosisOutcome empty;
    empty.result.end = BlockEnd::Stopped;
    const auto json = nlohmann::json::parse(diagnosisJson(empty, false));
    QVERIFY(json["limit"].is_null());
    QVERIFY(json["samples_per_second"].is_null());
    QCOMPARE(json["outcome"].get<std::string>(), std::string("interrupted"));
  }

  void everyEditIsReadAsItWasWritten() {
    Advice cache;
    cache.edit = Advice::Edit::AddCache;
    cache.node = "decode";
    cache.to = "1000";
    Advice move;
    move.edit = Advice::Edit::MoveNode;
    move.node = "resize";
    move.to = "jitter";
    for (const Advice& edit : {diagnosis().result.advice[0], cache, move}) {
      const Advice read = readEdit(editJson(edit).dump());
      QVERIFY(read.edit == edit.edit);
      QCOMPARE(read.editText(), edit.editText());
      QVERIFY(read.changes == SampleChange::Nothing);
    }
    QVERIFY(readEdit("{}").edit == Advice::Edit::Words);
    // What an unknown change does is not known: it may do anything.
    QVERIFY(readEdit(R"({"changes_samples": "weather"})").changes == SampleChange::Content);
  }

  void foreignTextIsNoResult() {
    for (const char* text : {"", "[]", "7", "{\"runs\": "}) {
      QVERIFY(!readComparison(text));
      QVERIFY(!readDiagnosis(text));
    }
    const auto odd = readDiagnosis(R"({"runs": 4, "advice": [3], "limit": [], "evidence": {}})");
    QVERIFY(odd);
    QVERIFY(odd->runs.empty());
    QVERIFY(odd->finding.confidence == Confidence::CannotTell);
    const auto bare = readComparison(R"({"verdict": 1, "a": [], "blocks": [[]]})");
    QVERIFY(bare && !bare->verdict && bare->blocks.size() == 1);
  }
};

}  // namespace millrace

using millrace::TestSummaries;
MILLRACE_TEST_CASE(TestSummaries)
#include "tst_summaries.moc"
