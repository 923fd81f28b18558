// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_limit.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A DataLoader with two workers on a machine of eight cores, without a step.
LoaderLoad usual() {
  LoaderLoad load;
  load.waitShare = 1;
  load.workers = 2;
  load.workersBusy = 0.97;
  load.seen = true;
  load.coresUsed = 2.1;
  load.coresUsable = 8;
  load.costliest = "RandomCrop";
  load.costliestShare = 0.4;
  return load;
}

}  // namespace

class TestLoaderLimit : public QObject {
  Q_OBJECT
 private slots:
  void workersThatAreAlwaysBusyLimit() {
    QCOMPARE(limitOf(usual()),
             std::string("the workers: they were busy 97 % of the time and used 2.1 of 8 cores; "
                         "the costliest step is RandomCrop (40 %)"));
  }

  void aBusyProcessorLimitsBeforeItsWorkers() {
    LoaderLoad load = usual();
    load.coresUsable = 2;
    QVERIFY(limitOf(load).starts_with("the processor: the loader used 2.1 of 2 cores"));
  }

  void aLoaderWithoutWorkersIsTheProgram() {
    LoaderLoad load = usual();
    load.workers = 0;
    load.workersBusy.reset();
    load.coresUsed = 1;
    QVERIFY(limitOf(load).starts_with("the program itself, which makes all batches"));
  }

  void idleWorkersAndAWaitingProgramArePassingOn() {
    LoaderLoad load = usual();
    load.workersBusy = 0.4;
    QCOMPARE(limitOf(load), std::string("passing batches on: the program waited 100 % of the time, "
                                        "although the workers were busy only 40 %"));
  }

  void aStepThatNeverWaitsIsTheLimit() {
    LoaderLoad load = usual();
    load.stepped = true;
    load.waitShare = 0.02;
    load.workersBusy = 0.5;
    QVERIFY(limitOf(load).starts_with("the step: the program waited for batches only 2 %"));
    load.waitShare = 0.1;  // some epochs began
    QVERIFY(limitOf(load).starts_with("the step"));
    load.waitShare = 0.4;
    QVERIFY(limitOf(load).starts_with("passing batches on"));
    load.workersBusy = 0.95;
    QVERIFY(limitOf(load).starts_with("the workers"));
  }

  void theStartOfEpochsLimits() {
    LoaderLoad load = usual();
    load.startShare = 0.3;
    load.workersBusy = 0.68;
    QVERIFY(limitOf(load).starts_with("the start of each epoch: 30 %"));
    load.startShare = 0.2;
    load.workersBusy = 0.75;  // in the rest of the time nearly always
    QVERIFY(limitOf(load).starts_with("the workers"));
  }

  void ofALoaderWhoseStepsAreNotSeenLittleIsKnown() {
    LoaderLoad load;
    load.waitShare = 1;
    QCOMPARE(limitOf(load), std::string());
    load.stepped = true;
    load.waitShare = 0.01;
    QVERIFY(limitOf(load).starts_with("the step"));
  }
};

}  // namespace millrace

using millrace::TestLoaderLimit;
MILLRACE_TEST_CASE(TestLoaderLimit)
#include "tst_loader_limit.moc"
