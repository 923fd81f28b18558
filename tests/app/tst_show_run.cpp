// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pages about runs with known figures, character by character, and the output of `runs show`.
#include <QRegularExpression>

#include "core/store/run_store.h"
#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// A finished run in the program's own store.
void keep(Program& program, const QByteArray& pipeline, const std::string& name,
          const std::vector<double>& rates, std::int64_t workers,
          const std::string& pipelineName = "/somewhere/p.json") {
  const std::filesystem::path file = program.path("data/millrace/runs.db").toStdString();
  std::filesystem::create_directories(file.parent_path());
  auto store = RunStore::open(file);
  VERIFY_OK(store);
  NewRun run;
  run.name = name;
  run.notes = "first line\nsecond line";
  run.pipelineName = pipelineName;
  run.pipelineJson = pipeline.toStdString();
  run.engineVersion = "0.1.0";
  run.settings = {{"batch", "size", std::int64_t{10}}, {"workers", "count", workers}};
  run.environment = {{"cpu_model", "A CPU"},
                     {"data_samples", "1000"},
                     {"page_cache", "warm"},
                     {"draws", "random"},
                     {"fusing", "on"}};
  const RunNumber number = store->beginRun(run).take();
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const RepeatId repeat = store->beginRepeat(number, static_cast<std::int64_t>(i)).take();
    const NodeRecord node{"synthetic", "synthetic", 1000, {}, {}, 2.0, 1.9, 2.0, {}};
    VERIFY_OK(store->addNodeFigures(repeat, std::vector{node}));
    const QueueRecord queue{"prefetch", "batch", "drain", "batches", 2, 1.0, 0.5, 0.25};
    VERIFY_OK(store->addQueueFigures(repeat, std::vector{queue}));
    const SlowestRecord slow{"#17", 2, 40.0, 256, "synthetic", 39.0, "by hand"};
    VERIFY_OK(store->addSlowest(repeat, std::vector{slow}));
    const std::vector<FigureRecord> figures = {{"samples_per_second", rates[i]},
                                               {"slowest.timed", 1000},
                                               {"slowest.timed_seconds", 2},
                                               {"peak_rss_bytes", 2e8}};
    VERIFY_OK(store->finishRepeat(repeat, figures));
    sum += rates[i];
  }
  const std::vector<FigureRecord> figures = {
      {"samples_per_second", sum / static_cast<double>(rates.size())}, {"peak_rss_bytes", 2e8}};
  VERIFY_OK(store->finishRun(number, RunState::Finished, "", figures));
}

/// Times of day are those of the test, and node kinds may get more parameters.
QByteArray timeless(const QByteArray& page) {
  return QString::fromUtf8(page)
      .replace(QRegularExpression(R"(\d{4}-\d\d-\d\d \d\d:\d\d)"), "2026-11-21 10:00")
      .replace(QRegularExpression(R"(\(1 of \d\d\))"), "(1 of 26)")
      .toUtf8();
}

constexpr const char* kTwoRuns = R"(run 2 against run 1, the first one named

runs                                       run 1               run 2     change
  name                                       two                 six
  pipeline                                p.json              p.json
  started                       2026-11-21 10:00    2026-11-21 10:00

verdict
  run 2 is 50 % faster than run 1 (95 % interval 41 to 58 %; 3 repeats a side,
    measured apart); a difference of 11 % or more could be detected

figures                                    run 1               run 2     change
  Samples per second                   101 +-2.5           151 +-2.5    +49.5 %
  Peak memory                             200 MB              200 MB      0.0 %

time in a node, per item                   run 1               run 2     change
  synthetic                                 2 ms                2 ms      0.0 %

queues                                     run 1               run 2     change
  prefetch: Empty                         50.0 %              50.0 %     0.0 pp
  prefetch: Full                          25.0 %              25.0 %     0.0 pp

settings (1 of 26)                               run 1                     run 2
  workers.count                                      2                         6

conditions
  machine, data and page cache are equal, as far as is known; unknown:
  architecture, cores, memory, memory limit, GPU and governor
)";

}  // namespace

class TestShowRun : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    keep(*m_program, syntheticPipeline(), "two", {100, 101, 102}, 2);
  }

  void aComparisonReadsAsItShould() {
    keep(*m_program, syntheticPipeline(), "six", {150, 151, 152}, 6);
    const Outcome compared = m_program->run({"runs", "compare", "1", "2"});
    QVERIFY2(timeless(compared.out) == kTwoRuns, compared.out.constData());
  }

  void theSlowestSamplesOfAllRepeatsAreOnePage() {
    const Outcome shown = m_program->run({"runs", "show", "1", "--slowest"});
    QCOMPARE(
        shown.out,
        QByteArray("the slowest 6 of 3 000 samples took 4 % of the time; a sample takes 2 ms on\n"
                   "average\n"
                   "    #17: 40 ms, 39 ms of it in synthetic (by hand), 256 B, seen 6 times\n"));
    const Outcome page = m_program->run({"runs", "show", "1"});
    QVERIFY2(page.out.contains("slow samples\n    the slowest 6 of"), page.out.constData());
    const Outcome json = m_program->run({"runs", "show", "1", "--json"});
    QVERIFY(json.out.contains("\"mean_ms\": 40.0"));
  }

  void showsRepeatsNotesAndTellingSettings() {
    const Outcome shown = m_program->run({"runs", "show", "1"});
    QCOMPARE(shown.code, 0);
    for (const char* part :
         {"notes                         first line\n"
          "                                second line\n",
          "  repeat    samples/s", "\n  3               102", "engine", "page_cache"})
      QVERIFY2(shown.out.contains(part), shown.out.constData());
    for (const QByteArray& line : shown.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
    QVERIFY(m_program->run({"runs", "show", "1", "--settings"})
                .out.contains("  batch.size                    10\n"));
  }

  void aNameWithoutAFolderIsShownWithout() {
    keep(*m_program, syntheticPipeline(), "unsaved", {100}, 2, "./classification");
    QVERIFY(
        m_program->run({"runs", "show", "2"}).out.startsWith("run 2: classification, finished"));
    QVERIFY(m_program->run({"runs", "show", "1"}).out.startsWith("run 1: /somewhere/p.json, "));
  }

  void printsThePipelineAsItWasKept() {
    const Outcome shown = m_program->run({"runs", "show", "1", "--pipeline"});
    QCOMPARE(shown.out, syntheticPipeline());
    const Outcome run = m_program->run(
        QStringList{"run", m_program->write("again.json", shown.out), "--no-store"} + shortly());
    QCOMPARE(run.code, 0);
  }

  void saysThatAPipelineCannotBeRead() {
    keep(*m_program, "{ not JSON", "broken", {100}, 2);
    const Outcome shown = m_program->run({"runs", "show", "2"});
    QCOMPARE(shown.code, 0);
    QVERIFY(shown.out.contains("the pipeline cannot be parsed"));
    const Outcome compared = m_program->run({"runs", "compare", "1", "2", "--graph"});
    QCOMPARE(compared.code, 0);
    QVERIFY(compared.out.contains("run 2: its pipeline document cannot be read"));
  }

 private:
  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestShowRun)

}  // namespace millrace::tests

#include "tst_show_run.moc"
