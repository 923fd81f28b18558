// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/job_input.h"

#include "core/sample_data/sample_data.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Stops the generation of sample data at once.
class Refusing final : public SampleDataObserver {
 public:
  bool onSampleData(const std::string& name, std::uint32_t, std::uint32_t) override {
    asked = name;
    return false;
  }
  void onSampleDataEnd(const std::string& name) override { ended = name; }

  std::string asked;
  std::string ended;
};

}  // namespace

class TestJobInput : public QObject {
  Q_OBJECT
 private slots:
  void aPipelineIsPreparedFromItsDocument() {
    SampleDataObserver observer;
    Problems problems;
    const auto prepared = preparePipeline(tests::steppedRequest(), observer, problems);
    QVERIFY(prepared);
    QVERIFY(!problems.anyError());
    QCOMPARE(prepared->graph.nodes.size(), 5U);
    QVERIFY(prepared->plan.consumer > 0);
  }

  void whatIsWrongIsAListOfProblems() {
    SampleDataObserver observer;
    Problems problems;
    PipelineRequest request = tests::steppedRequest();
    request.settings = {"step.secnds=1", "none.count=2"};
    QVERIFY(!preparePipeline(request, observer, problems));
    QCOMPARE(problems.all().size(), 2U);
  }

  void theObserverCanStopTheSampleData() {
    const tests::TemporaryFolder cache;
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
    Refusing observer;
    Problems problems;
    PipelineRequest request;
    request.pipeline = "classification";
    QVERIFY(!loadPipeline(request, observer, problems));
    QVERIFY(problems.anyError());
    QVERIFY(!observer.asked.empty());
    QCOMPARE(observer.ended, observer.asked);
    QVERIFY(!hasSampleData(observer.asked));
    qunsetenv("XDG_CACHE_HOME");
  }
};

}  // namespace millrace

using millrace::TestJobInput;
MILLRACE_TEST_CASE(TestJobInput)
#include "tst_job_input.moc"
