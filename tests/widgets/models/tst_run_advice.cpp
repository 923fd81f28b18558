// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#what-limits-a-run: the change that the rules advise after a run, and its words.
#include "widgets/bridge/run_advice.h"

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/busy_workers.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

namespace {

Graph graphWith(int workers) {
  return *parseGraph(tests::steppedPipeline({.workers = workers, .stepSeconds = 0.001}),
                     builtinCatalog())
              .graph;
}

}  // namespace

class TestRunAdvice : public QObject {
  Q_OBJECT
 private slots:
  void idleCoresAreAdvisedAsMoreWorkers() {
    const RunAdvice found = runAdviceOf(graphWith(2), builtinCatalog(), "/", tests::busyWorkers(2));
    QCOMPARE(nameOf(found.finding.limit.kind), std::string_view("workers_too_few"));
    QVERIFY(found.advice && found.advice->edit == Advice::Edit::Parameter);
    QCOMPARE(found.advice->editText(), std::string("workers.count 2 -> 8"));
    QVERIFY(found.predicted);
    QVERIFY2(found.predicted->middle > 2000, qPrintable(QString::number(found.predicted->middle)));
  }

  void aRunThatDecidesNothingAdvisesNothing() {
    RunResult open = tests::busyWorkers(2);
    for (SpanFigures& repeat : open.repeats) repeat.queues.front().emptyShare = 0.4;
    const RunAdvice found = runAdviceOf(graphWith(2), builtinCatalog(), "/", open);
    QVERIFY(!found.advice || found.predicted);
    QVERIFY(!runAdviceOf(graphWith(2), builtinCatalog(), "/", RunResult{}).advice);
    QVERIFY(!runAdviceOf({}, builtinCatalog(), "/", tests::busyWorkers(2)).advice);
  }

  void sentencesOfTheEngineAreInTheWindowsWords() {
    const auto titleOf = [](const QString& id) {
      return id == "decode" ? QString("Decode `image`") : QString();
    };
    QCOMPARE(windowWords("Decoding in `decode`: `decode` takes 71 %.", titleOf),
             QString("Decoding in Decode `image`: Decode `image` takes 71 %."));
    QCOMPARE(windowWords("More blocks (--repeats).", titleOf), QString("More blocks."));
    QCOMPARE(windowWords("Into larger files (`millrace convert PIPELINE FOLDER --to tfrecord`).",
                         titleOf),
             QString("Into larger files."));
    QCOMPARE(windowWords("Make `flip` cheaper (2 to 3 ms).", titleOf),
             QString("Make flip cheaper (2 to 3 ms)."));
    QCOMPARE(windowWords("Make `flip` cheaper.", {}), QString("Make flip cheaper."));
  }
};

}  // namespace millrace

using millrace::TestRunAdvice;
MILLRACE_TEST_CASE(TestRunAdvice)
#include "tst_run_advice.moc"
