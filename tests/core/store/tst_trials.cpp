// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The trials of a search.
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

TrialRecord waiting(std::int64_t position, const std::string& settings) {
  TrialRecord trial;
  trial.position = position;
  trial.settings = settings;
  return trial;
}

}  // namespace

class TestTrials : public QObject {
  Q_OBJECT
 private slots:
  void trialsSayWhatCameOfThem() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    QVERIFY(store->searches()->empty());
    const std::vector<TrialRecord> trials = {waiting(0, "count=1"), waiting(1, "count=2")};
    VERIFY_OK(store->beginTrials("sweep", trials));
    const auto run = store->beginRun(smallRun());
    TrialRecord first = trials[0];
    first.run = *run;
    first.state = TrialState::Finished;
    first.value = 12.5;
    VERIFY_OK(store->setTrial("sweep", first));
    TrialRecord second = trials[1];
    second.state = TrialState::Failed;
    second.reason = "it crashed";
    VERIFY_OK(store->setTrial("sweep", second));
    VERIFY_OK(store->beginTrials("later", std::vector{waiting(0, "size=9")}));
    const auto searches = store->searches();
    QCOMPARE(searches->size(), 2U);
    QCOMPARE(searches->at(0).experiment, std::string("later"));
    const std::vector<TrialRecord>& kept = searches->at(1).trials;
    QCOMPARE(kept.size(), 2U);
    QCOMPARE(kept[0].settings, std::string("count=1"));
    QVERIFY(kept[0].run == first.run);
    QVERIFY(kept[0].state == TrialState::Finished);
    QCOMPARE(*kept[0].value, 12.5);
    QVERIFY(kept[1].state == TrialState::Failed);
    QCOMPARE(kept[1].reason, std::string("it crashed"));
    QVERIFY(!kept[1].run && !kept[1].value);
  }

  void anExperimentHasOneSearchAtMost() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const std::vector<TrialRecord> trials = {waiting(0, "count=1")};
    VERIFY_OK(store->beginTrials("sweep", trials));
    const Status again = store->beginTrials("sweep", std::vector{waiting(1, "count=2")});
    QVERIFY(!again.ok());
    QVERIFY(again.error().message.find("\"sweep\"") != std::string::npos);
    QCOMPARE(store->searches()->at(0).trials.size(), 1U);
  }

  void aDeletedRunIsNoTrialsRun() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store->beginTrials("sweep", std::vector{waiting(0, "count=1")}));
    const auto run = store->beginRun(smallRun());
    VERIFY_OK(store->finishRun(*run, RunState::Finished, "", {}));
    TrialRecord trial = waiting(0, "count=1");
    trial.run = *run;
    VERIFY_OK(store->setTrial("sweep", trial));
    VERIFY_OK(store->hide(std::vector{*run}));
    QVERIFY(!store->searches()->at(0).trials[0].run);
  }
};

MILLRACE_TEST_CASE(TestTrials)

}  // namespace millrace

#include "tst_trials.moc"
