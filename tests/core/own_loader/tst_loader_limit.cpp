// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/loader_limit.h"
#include "core/own_loader/loader_lines.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A DataLoader with two workers on a machine of eight cores, without a step.
LoaderLoad usual() {
  LoaderLoad load;
  load.waitShare = 1;
  load.workers = 2;
  load.workersBusy = 0.97;
  load.coresUsed = 2.1;
  load.coresUsable = 8;
  load.steps = {
      {"open (PIL)", 0.1}, {"read and decode (PIL)", 0.3}, {"RandomCrop", 0.4}, {"collate", 0.2}};
  return load;
}

}  // namespace

class TestLoaderLimit : public QObject {
  Q_OBJECT
 private slots:
  void workersThatAreAlwaysBusyAreTooFew() {
    QCOMPARE(lineOf(findLoaderLimit(usual())),
             std::string("too few workers: they were busy 97 % of the time, and the loader used "
                         "2.1 of 8 cores; the costliest step is RandomCrop (40 %)"));
  }

  void withoutAnIdleCoreTheCostliestStepLimits() {
    LoaderLoad load = usual();
    load.coresUsable = 2;
    LimitFinding finding = findLoaderLimit(load);
    QVERIFY(finding.limit.kind == LimitKind::Augmentation);
    QVERIFY(lineOf(finding).starts_with("work in `RandomCrop`: the loader used 2.1 of 2 cores"));
    load.steps[1].second = 0.42;
    finding = findLoaderLimit(load);
    QVERIFY(finding.limit.kind == LimitKind::Work);
    QVERIFY(lineOf(finding).starts_with("the work in `read and decode (PIL)` and `RandomCrop`"));
    load.steps[1].second = 0.5;
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::Decode);
    load.steps = {{"collate", 0.8}, {"open (PIL)", 0.2}};
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::Batching);
    load.steps = {{"collate", 0.2}, {"open (PIL)", 0.8}};
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::Read);
  }

  void otherProgramsLimitIfTheyLeaveNoCoreIdle() {
    LoaderLoad load = usual();
    load.othersShare = 0.7;
    QVERIFY(
        lineOf(findLoaderLimit(load)).ends_with("they took 70 % of the cores, and none was idle"));
    load.othersShare = 0.3;  // four of eight cores are idle
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::WorkersTooFew);
    load.coresUsed = 6.6;
    load.othersShare = 0.19;
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::WorkersTooFew);
  }

  void aLoaderWithoutWorkersHasTooFew() {
    LoaderLoad load = usual();
    load.workers = 0;
    load.workersBusy.reset();
    load.coresUsed = 1;
    QVERIFY(lineOf(findLoaderLimit(load))
                .starts_with("too few workers: the program itself makes all batches"));
  }

  void idleWorkersAndAWaitingProgramArePassingOn() {
    LoaderLoad load = usual();
    load.workersBusy = 0.4;
    QCOMPARE(lineOf(findLoaderLimit(load)),
             std::string("passing batches from the workers to the program: the program waited "
                         "100 % of the time, although the workers were busy only 40 %"));
    load.queueEmpty = 0.9;
    QVERIFY(lineOf(findLoaderLimit(load)).ends_with("for 90 % of them: the workers' side is slow"));
    load.queueEmpty = 0.2;
    QVERIFY(lineOf(findLoaderLimit(load)).ends_with("for 80 % of them: taking it over is slow"));
  }

  void aStepThatNeverWaitsIsTheLimit() {
    LoaderLoad load = usual();
    load.stepped = true;
    load.waitShare = 0.02;
    load.workersBusy = 0.5;
    QVERIFY(findLoaderLimit(load).confidence == Confidence::Yes);
    QVERIFY(lineOf(findLoaderLimit(load)).ends_with("waited for batches only 2 % of the time"));
    load.waitShare = 0.1;  // some epochs began
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::Step);
    load.waitShare = 0.4;
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::PassingOn);
    load.workersBusy = 0.95;
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::WorkersTooFew);
  }

  void theStartOfEpochsLimits() {
    LoaderLoad load = usual();
    load.startShare = 0.3;
    load.workersBusy = 0.68;
    QVERIFY(lineOf(findLoaderLimit(load)).starts_with("the start of each epoch: 30 %"));
    load.startShare = 0.2;
    load.workersBusy = 0.75;  // in the rest of the time nearly always
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::WorkersTooFew);
  }

  void ofALoaderWhoseStepsAreNotSeenLittleIsKnown() {
    LoaderLoad load;
    load.waitShare = 1;
    QCOMPARE(lineOf(findLoaderLimit(load)), std::string());
    QVERIFY(!findLoaderLimit(load).decides.empty());
    load.stepped = true;
    load.waitShare = 0.01;
    QVERIFY(findLoaderLimit(load).limit.kind == LimitKind::Step);
  }

  void theFirstAdviceIsAnArgumentIfOneHelps() {
    LoaderLoad load = usual();
    const auto first = [&load](std::string_view what = kDataLoader) {
      load.what = what;
      return loaderAdvice(findLoaderLimit(load), load).front().set;
    };
    using Set = decltype(LoaderAdvice::set);
    QCOMPARE(first(), (Set{{"num_workers", "4"}}));
    QCOMPARE(first("list"), Set());
    QCOMPARE(first(kTfData), (Set{{"parallel_calls", "auto"}, {"prefetch", "auto"}}));
    load.workers = 7;
    QCOMPARE(first(), (Set{{"num_workers", "8"}}));
    load.workers = 0;
    QCOMPARE(first(), (Set{{"num_workers", "8"}}));
    load.startShare = 0.5;
    load.workers = 2;
    QCOMPARE(first(), (Set{{"persistent_workers", "true"}}));
    load.startShare = 0;
    load.coresUsable = 2;
    QCOMPARE(first(), Set());
  }
};

}  // namespace millrace

using millrace::TestLoaderLimit;
MILLRACE_TEST_CASE(TestLoaderLimit)
#include "tst_loader_limit.moc"
