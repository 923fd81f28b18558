// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What `record` of millrace_options keeps.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <QDeadlineTimer>

#include "core/store/run_store.h"
#include "tests/capi/opened.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::kChain;
using tests::Opened;
using tests::restOfEpoch;
using tests::skip;

class TestKeptTraining : public QObject {
  Q_OBJECT
 private slots:
  void aTrainingIsKeptAsARun() {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "runs.db").string();
    {
      const Opened opened(kChain, [&](millrace_options& options) {
        options.record = file.c_str();
        options.record_experiment = "nets";
        options.record_name = "the first";
      });
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      (void)restOfEpoch(opened.loader);
      skip(opened.loader, 2);
      QCOMPARE(millrace_set_epoch(opened.loader, 7), MILLRACE_OK);
      (void)restOfEpoch(opened.loader);
      const std::string stats = opened.taken(millrace_stats(opened.loader));
      QVERIFY2(stats.find("\"run_id\":\"1\"") != std::string::npos, stats.c_str());
      auto store = RunStore::open(file).take();
      QCOMPARE(store.show(RunNumber{1}).take().summary.state, RunState::Running);
    }
    auto store = RunStore::open(file).take();
    const RunDetails run = store.show(RunNumber{1}).take();
    QCOMPARE(run.summary.state, RunState::Finished);
    QCOMPARE(run.summary.experiment, std::string("nets"));
    QCOMPARE(run.summary.name, std::string("the first"));
    QVERIFY(std::ranges::count(run.environment, KeyValue("origin", "training")) == 1);
    QVERIFY(!store.pipelineJson(RunNumber{1}).take().empty());
    QCOMPARE(run.repeats.size(), std::size_t{2});
    const auto figure = [](const std::vector<FigureRecord>& figures, std::string_view metric) {
      for (const FigureRecord& one : figures)
        if (one.metric == metric) return one.value.value_or(-1);
      return -1.0;
    };
    QCOMPARE(figure(run.repeats[0].figures, "batches"), 8.0);
    QCOMPARE(figure(run.repeats[1].figures, "batches"), 6.0);
    QCOMPARE(figure(run.figures, "samples"), 22.0 + 8 + 22);
    const double share = figure(run.figures, "step_share");
    QVERIFY2(share > 0 && share < 1, std::to_string(share).c_str());
    QVERIFY(!run.repeats[0].nodes.empty() && !run.repeats[0].queues.empty());
    QVERIFY(!run.repeats[0].seriesMetrics.empty());
  }

  void aTrainingThatGoesOnHasItsFiguresSoFar() {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "runs.db").string();
    const Opened opened(kChain, [&](millrace_options& o) { o.record = file.c_str(); });
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    const auto share = [&]() -> double {
      const auto run = RunStore::open(file).take().show(RunNumber{1});
      if (!run || run->summary.state != RunState::Running) return 0;
      for (const FigureRecord& figure : run->figures)
        if (figure.metric == "step_share") return figure.value.value_or(0);
      return 0;
    };
    const QDeadlineTimer deadline(60'000);
    while (share() <= 0 && !deadline.hasExpired()) (void)restOfEpoch(opened.loader);
    QVERIFY(share() > 0 && share() < 1);
  }

  void aStoreThatCannotBeWrittenIsRefusedAtOnce() {
    const Opened opened(kChain, [](auto& o) { o.record = "/proc/nowhere/runs.db"; });
    QCOMPARE(opened.status, MILLRACE_ERROR_INPUT);
    QVERIFY2(opened.error.find("/proc/nowhere") != std::string::npos, opened.error.c_str());
  }

  void aLoaderThatIsNeverAskedKeepsNothing() {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "runs.db").string();
    {
      const Opened opened(kChain, [&](millrace_options& o) { o.record = file.c_str(); });
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      (void)opened.state();
    }
    QVERIFY(RunStore::open(file).take().list({}).take().empty());
  }
};

}  // namespace millrace

using millrace::TestKeptTraining;
MILLRACE_TEST_CASE(TestKeptTraining)
#include "tst_kept_training.moc"
