// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_log.h"

#include "tests/core/analysis/counters_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

TuneRequest someRequest() {
  TuneRequest request;
  request.budget = "2m";
  request.cores = 3;
  request.goal = "latency";
  request.allow = {"order", "batching"};
  request.vary = {"step.seconds=0.1,0.2"};
  request.seconds = 1.5;
  request.trialTimeout = 0.1 + 0.2;
  request.maxFailures = "1%";
  request.noFuse = true;
  return request;
}

TuneSurvey someSurvey() {
  TuneSurvey survey;
  survey.spentSeconds = 12.3;
  survey.diagnosisSeconds = 1.0 / 3;
  survey.cacheRoomBytes = 4e9;
  survey.diagnosed = true;
  survey.diagnosisRuns = 7;
  DiagnosisResult& found = survey.diagnosis.emplace();
  found.counters = loaderBound({1, 14, 4});
  found.counters.stepShare = 1.0 / 3;
  Histogram& times = found.counters.stages[0].nodes[1].service;
  times.counts[0] = 3;
  times.counts[Histogram::kBuckets - 1] = 1ULL << 60;
  found.finding.confidence = Confidence::Likely;
  found.finding.limit = {LimitKind::WorkersTooFew, "workers", 0.7, {{"m", 0.1, "a \"tenth\""}}};
  found.finding.also = {{LimitKind::Decode, "decode", 0.2, {}}};
  found.finding.decides = "a run from memory";
  found.gains.moreReaders = RateRatio{1.5, 1.25, 1.75};
  found.gains.caches = {{"resize", {8.5, 8.25, 8.75}}};
  found.runs = {{Probe::FromMemory, "encoded samples from memory", {812.5, 1.0 / 7}}};
  return survey;
}

TuneStep stepOf(TuneStep::State state, const std::string& reason) {
  TuneStep step;
  step.trial = 4;
  step.state = state;
  step.reason = reason;
  step.seconds = 2.1;
  step.spentSeconds = 2.2;
  return step;
}

}  // namespace

class TestTuneLog : public QObject {
  Q_OBJECT
 private slots:
  void whatWasWrittenIsReadBackToTheLastBit() {
    using enum TuneStep::State;
    const std::vector<std::string> lines = {
        lineOf(someRequest()), lineOf(someSurvey()), lineOf(stepOf(Measured, "")),
        lineOf(stepOf(OverLimit, "it took \xff much")), lineOfEnd()};
    const auto log = readTuneLog(lines);
    VERIFY_OK(log);
    QVERIFY(log->ended && log->request && log->survey && log->survey->diagnosis);
    QCOMPARE(lineOf(*log->request), lines[0]);
    QCOMPARE(lineOf(*log->survey), lines[1]);
    QCOMPARE(log->steps.size(), std::size_t{2});
    QCOMPARE(lineOf(log->steps[0]), lines[2]);
    QCOMPARE(log->steps[1].state, OverLimit);
    QCOMPARE(log->steps[1].trial, std::size_t{4});
    QCOMPARE(*log->request->trialTimeout, 0.1 + 0.2);
    QVERIFY(*log->request->cores == 3 && !log->request->noRandom && log->request->noFuse);
    const DiagnosisResult& found = *log->survey->diagnosis;
    QCOMPARE(found.finding.limit.kind, LimitKind::WorkersTooFew);
    QCOMPARE(found.finding.confidence, Confidence::Likely);
    QCOMPARE(found.runs[0].rates[1], 1.0 / 7);
    const RunCounters::Node& decode = found.counters.stages[0].nodes[1];
    QCOMPARE(decode.work, WorkKind::Decode);
    QCOMPARE(decode.service.counts[Histogram::kBuckets - 1], std::uint64_t{1} << 60);
    QVERIFY(!found.counters.stages[1].nodes[0].busySeconds);
  }

  void aModelSaysTheSameOfCountersThatWereKept() {
    const DiagnosisResult before = *someSurvey().diagnosis;
    const auto log = readTuneLog({lineOf(someSurvey())});
    const DiagnosisResult& kept = *log->survey->diagnosis;
    QCOMPARE(headlineOf(kept.finding), headlineOf(before.finding));
    QCOMPARE(kept.finding.limit.node, before.finding.limit.node);
    QCOMPARE(kept.finding.also.size(), before.finding.also.size());
    QCOMPARE(headlineOf(findLimit(kept.counters)), headlineOf(findLimit(before.counters)));
    Advice more;
    more.edit = Advice::Edit::Parameter;
    for (const auto& [node, param] : {std::pair{"workers", "count"}, {"prefetch", "batches"}}) {
      more.node = node;
      more.param = param;
      more.to = "4";
      const auto said = predictedRate(before.counters, more);
      const auto again = predictedRate(kept.counters, more);
      QVERIFY2(said && again, node);
      QVERIFY(again->low == said->low && again->middle == said->middle &&
              again->high == said->high);
    }
  }

  void aLogMayEndAnywhereAndHoldWhatIsNotKnown() {
    QVERIFY(!readTuneLog({})->request);
    const auto begun = readTuneLog({lineOf(someRequest()), R"({"step": "thought", "of": 1})",
                                    R"({"step": "tried", "trial": "four", "state": "odd"})"});
    VERIFY_OK(begun);
    QVERIFY(begun->request && !begun->survey && !begun->ended);
    QCOMPARE(begun->steps.size(), std::size_t{1});
  }

  void whatIsNoLogOrANewerOneIsRefused() {
    for (const char* line : {"", "{", "[]", "7"}) QVERIFY2(!readTuneLog({line}).ok(), line);
    const auto newer = readTuneLog({R"({"step": "asked", "format_version": 2})"});
    QVERIFY(!newer.ok());
    QVERIFY(newer.error().message.find("newer") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestTuneLog)

}  // namespace millrace

#include "tst_tune_log.moc"
