// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Predicted gains of changes.
#include "core/store/search_notes.h"

#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

class TestPredictions : public QObject {
  Q_OBJECT
 private slots:
  void aPredictionIsReadBackWithTheRateThatItStartedFrom() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    auto notes = SearchNotes::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const auto other = store->beginRun(smallRun());
    PredictionRecord made;
    made.run = *run;
    made.edit = "workers.count 2 -> 4";
    made.low = 180;
    made.middle = 190;
    VERIFY_OK(notes->addPrediction(made));
    made.edit = "prefetch.batches 2 -> 4";
    made.followedBy = *other;
    made.followedValue = 101;
    VERIFY_OK(notes->addPrediction(made));
    const std::vector<FigureRecord> figures = {{"samples_per_second", 100.0}};
    VERIFY_OK(store->finishRun(*run, RunState::Finished, "", figures));
    const auto kept = notes->predictionsOf(*run);
    QCOMPARE(kept->size(), 2U);
    QCOMPARE(kept->at(0).edit, std::string("workers.count 2 -> 4"));
    QCOMPARE(*kept->at(0).low, 180.0);
    QVERIFY(!kept->at(0).high && !kept->at(0).followedValue && !kept->at(0).followedBy);
    QCOMPARE(*kept->at(0).without, 100.0);
    QCOMPARE(*kept->at(1).followedValue, 101.0);
    QVERIFY(kept->at(1).followedBy == *other);
    QCOMPARE(notes->predictions()->at(0).edit, std::string("prefetch.batches 2 -> 4"));
    QVERIFY(notes->predictionsOf(*other)->empty());
    // Predictions of a hidden run are not shown, and a hidden follow-up run is not named.
    VERIFY_OK(store->finishRun(*other, RunState::Finished, "", {}));
    VERIFY_OK(store->hide(std::vector{*other}));
    QVERIFY(!notes->predictionsOf(*run)->at(1).followedBy);
    VERIFY_OK(store->hide(std::vector{*run}));
    QVERIFY(notes->predictions()->empty());
  }

  void whatWasSaidOfARunCanBeTakenBack() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    auto notes = SearchNotes::open(folder.file());
    PredictionRecord made;
    made.edit = "workers.count 2 -> 4";
    made.middle = 190;
    for (int i = 0; i < 2; ++i) {
      made.run = *store->beginRun(smallRun());
      VERIFY_OK(notes->addPrediction(made));
    }
    VERIFY_OK(notes->removePredictionsOf(made.run));
    QVERIFY(notes->predictionsOf(made.run)->empty());
    QCOMPARE(notes->predictions()->size(), 1U);
  }

  void theStepsOfASearchAreReadInTheirOrder() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    auto notes = SearchNotes::open(folder.file());
    for (const char* experiment : {"one", "other"})
      VERIFY_OK(store->beginTrials(experiment, std::vector{TrialRecord{}}));
    for (const char* step : {"b", "a", "c \xd0\xb6"}) {
      VERIFY_OK(notes->addStep("one", step));
      VERIFY_OK(notes->addStep("other", "x"));
    }
    const std::vector<std::string> expected = {"b", "a", "c \xd0\xb6"};
    QVERIFY(*notes->steps("one") == expected);
    QCOMPARE(notes->steps("other")->size(), 3U);
    QVERIFY(notes->steps("none")->empty());
  }

  void aTrialComesBehindTheOthers() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    auto notes = SearchNotes::open(folder.file());
    TrialRecord trial;
    trial.settings = "baseline";
    VERIFY_OK(store->beginTrials("tuning", std::vector{trial}));
    trial.position = 1;
    trial.settings = "count=4";
    VERIFY_OK(notes->addTrial("tuning", trial));
    QVERIFY(!notes->addTrial("tuning", trial).ok());
    QCOMPARE(store->searches()->front().trials.size(), 2U);
    QCOMPARE(store->searches()->front().trials[1].settings, std::string("count=4"));
  }
};

MILLRACE_TEST_CASE(TestPredictions)

}  // namespace millrace

#include "tst_predictions.moc"
