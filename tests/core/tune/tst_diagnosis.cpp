// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/diagnosis.h"

#include <algorithm>
#include <fstream>

#include <QTemporaryDir>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/tune/advice_edit.h"
#include "core/tune/page_cache_control.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

class DiagnosisNotes final : public DiagnosisObserver {
 public:
  void onStep(const DiagnosisStep& step) override {
    steps.push_back(step);
    if (atStep) atStep();
  }
  void onKept(const SpanFigures& figures) override { kept.push_back(figures); }
  std::vector<DiagnosisStep> steps;
  std::vector<SpanFigures> kept;
  std::function<void()> atStep;
};

DiagnosisSettings quick() {
  DiagnosisSettings settings;
  settings.warmupSeconds = 0;
  settings.seconds = 0.25;
  settings.blocks = 1;
  settings.surroundings.cores = 2;
  return settings;
}

}  // namespace

class TestDiagnosis : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_plan.emplace(tests::planOf("synthetic {\"count\": 400}\nworkers {\"count\": 1}\nbatch "
                                 "{\"size\": 4}\nprefetch\nemulated_step {\"seconds\": 0.01}")
                       .take());
    m_caches.emplace(CacheSet::make(*m_plan).take());
  }

  void aStepIsFoundAndConfirmedByTheRunWithoutIt() {
    DiagnosisNotes notes;
    const DiagnosisResult result = Diagnosis(*m_plan, *m_caches, quick(), notes).run();
    QVERIFY2(result.end == BlockEnd::Finished, result.reason.c_str());
    QVERIFY(result.finding.confidence == Confidence::Yes);
    QVERIFY(result.finding.limit.kind == LimitKind::Step);
    QVERIFY(result.finding.limit.evidence.size() >= 3);
    QVERIFY(result.stalls && *result.stalls->step > 0.9 * result.stalls->batchSeconds);
    QCOMPARE(notes.kept.size(), std::size_t{1});
    QCOMPARE(result.baseline.size(), std::size_t{1});
    QVERIFY(result.runs.front().probe == Probe::Baseline);
    for (const DiagnosisStep& step : notes.steps) QVERIFY(step.done < step.of);
  }

  void whatIsAdvisedIsMeasuredBesideIt() {
    // Two cores and one worker that is always busy, given to the rules whatever the machine does.
    const Result<Plan> busy = tests::planOf(
        "synthetic {\"content\": \"image\"}\nworkers {\"count\": 1}\nflip\nblur\nbatch {\"size\": "
        "4}\nprefetch\ndrain");
    VERIFY_OK(busy);
    const CacheSet caches = CacheSet::make(*busy).take();
    DiagnosisSettings settings = quick();
    settings.surroundings.cores = 1000;
    std::vector<std::string> asked;
    settings.planWith = [&](const Advice& advice) -> Result<Plan> {
      asked.push_back(advice.editText());
      return *busy;
    };
    DiagnosisNotes notes;
    const DiagnosisResult result = Diagnosis(*busy, caches, settings, notes).run();
    QVERIFY2(result.end == BlockEnd::Finished, result.reason.c_str());
    // On a machine with other work the one worker may not be busy enough to count as busy.
    const bool edits = !result.advice.empty() && result.advice.front().edit != Advice::Edit::Words;
    QCOMPARE(asked.size(), std::size_t{edits ? 1U : 0U});
    QCOMPARE(result.adviceGave.has_value(), edits);
    QCOMPARE(result.runs.back().probe == Probe::Advised, edits);
    QCOMPARE(result.predicted.size(), result.advice.size());
    if (edits)
      QCOMPARE(QString::fromStdString(asked.front()),
               QString::fromStdString(result.advice.front().editText()));
    // The blocks of the advice do not count as repeats of the baseline.
    QCOMPARE(notes.kept.size(), std::size_t{1});
  }

  void thePageCacheIsAsTheLastRepeatFoundIt() {
    DiagnosisSettings settings = quick();
    settings.surroundings.residentShare = 1;
    int asked = 0;
    settings.beforeRepeat = [&]() -> std::optional<double> { return ++asked < 3 ? 0.5 : 0.25; };
    DiagnosisNotes notes;
    const DiagnosisResult result = Diagnosis(*m_plan, *m_caches, settings, notes).run();
    QVERIFY(asked >= 3);
    QCOMPARE(result.counters.residentShare, std::optional<double>(0.25));
  }

  void whatIsReadOnceEndsWithItsEpoch() {
    // 100 batches without a wait take much less time than the span.
    const Result<Plan> quickly = tests::planOf(
        "synthetic {\"count\": 400}\nworkers {\"count\": 1}\nbatch {\"size\": 4}\nprefetch\ndrain");
    VERIFY_OK(quickly);
    const CacheSet caches = CacheSet::make(*quickly).take();
    DiagnosisSettings settings = quick();
    settings.warmupSeconds = 1;
    settings.seconds = 600;
    settings.readOnce();
    DiagnosisNotes notes;
    const DiagnosisResult result = Diagnosis(*quickly, caches, settings, notes).run();
    QVERIFY2(result.end == BlockEnd::Finished, result.reason.c_str());
    QCOMPARE(result.baseline.size(), std::size_t{1});
    QCOMPARE(result.baseline.front().batches, std::uint64_t{100});
  }

  void aRunFromMemoryIsFilledBeforeItCounts() {
    DiagnosisNotes notes;
    const DiagnosisResult result = Diagnosis(*m_plan, *m_caches, quick(), notes).run();
    QVERIFY2(result.end == BlockEnd::Finished, result.reason.c_str());
    const auto stepsOf = [&](const char* words) {
      return std::ranges::count_if(notes.steps, [&](const DiagnosisStep& step) {
        return step.what.find(words) != std::string::npos;
      });
    };
    QCOMPARE(stepsOf("from memory"), stepsOf("baseline") + 1);
    QVERIFY(!result.gains.caches.empty());
    const auto counted = std::ranges::count_if(
        result.runs, [](const DiagnosisRun& run) { return run.probe == Probe::FromMemory; });
    QCOMPARE(counted, 1);
    for (const DiagnosisStep& step : notes.steps) QVERIFY(step.done < step.of);
  }

  void aStopKeepsWhatIsWholeAndSaysNothingElse() {
    DiagnosisNotes notes;
    std::unique_ptr<Diagnosis> diagnosis;
    notes.atStep = [&] {
      if (notes.steps.size() == 2) diagnosis->stop();
    };
    diagnosis = std::make_unique<Diagnosis>(*m_plan, *m_caches, quick(), notes);
    const DiagnosisResult result = diagnosis->run();
    QVERIFY(result.end == BlockEnd::Stopped);
    QVERIFY(result.runs.empty() && notes.kept.empty());
    Diagnosis never(*m_plan, *m_caches, quick(), notes);
    never.cancel();
    QVERIFY(never.run().end == BlockEnd::Stopped);
  }

  void adviceIsAnEditOfTheDocument() {
    const Catalog& catalog = tests::runCatalog();
    const ReadGraph read = parseGraph(
        tests::documentOf("synthetic\nworkers {\"count\": 2}\nbatch\nprefetch\ndrain"), catalog);
    QVERIFY(read.graph.has_value());
    Advice advice;
    advice.edit = Advice::Edit::Parameter;
    advice.node = "workers";
    advice.param = "count";
    advice.to = "4";
    const Result<Graph> more = applyAdvice(*read.graph, catalog, advice);
    VERIFY_OK(more);
    QVERIFY(std::get<Value>(more->node("workers")->params.at("count")) == Value(std::int64_t{4}));
    advice.edit = Advice::Edit::AddCache;
    advice.to = "2000000";
    const Result<Graph> cached = applyAdvice(*read.graph, catalog, advice);
    VERIFY_OK(cached);
    QCOMPARE(cached->nodes.size(), read.graph->nodes.size() + 1);
    CheckOptions options;
    const CheckResult checked = checkGraph(*cached, catalog, options);
    QVERIFY(checked.pipeline.has_value());
    QVERIFY(checked.pipeline->nodes[2].spec->role == NodeRole::Cache);
    advice.edit = Advice::Edit::Words;
    QVERIFY(!applyAdvice(*read.graph, catalog, advice));
  }

  void aNodeMovesInFrontOfAnother() {
    const Catalog& catalog = tests::runCatalog();
    const ReadGraph read = parseGraph(
        tests::documentOf("synthetic {\"content\": \"image\"}\nworkers\njitter\nchannel_shift\n"
                          "centre_crop {\"height\": 8, \"width\": 8}\nbatch\nprefetch\ndrain"),
        catalog);
    QVERIFY(read.graph.has_value());
    Advice advice;
    advice.edit = Advice::Edit::MoveNode;
    advice.node = "centre_crop";
    advice.to = "jitter";
    const Result<Graph> moved = applyAdvice(*read.graph, catalog, advice);
    VERIFY_OK(moved);
    QStringList chain;
    const CheckResult checked = checkGraph(*moved, catalog, {});
    QVERIFY(checked.pipeline.has_value());
    for (const CheckedNode& node : checked.pipeline->nodes)
      chain << QString::fromStdString(node.id);
    QCOMPARE(chain.join(" "),
             "synthetic workers centre_crop jitter channel_shift batch prefetch drain");
    // The node directly after it, and a node at which it cannot be placed.
    advice.to = "channel_shift";
    VERIFY_OK(applyAdvice(*read.graph, catalog, advice));
    advice.to = "synthetic";
    QVERIFY(!applyAdvice(*read.graph, catalog, advice));
    advice.node = "drain";
    QVERIFY(!applyAdvice(*read.graph, catalog, advice));
  }

  void filesAreReadUntilToldToStop() {
    const QTemporaryDir folder;
    for (const char* name : {"0", "1", "2"})
      std::ofstream(folder.filePath(name).toStdString()) << "content";
    const FileAt file = [&](std::size_t i) {
      return std::filesystem::path(folder.filePath(QString::number(i)).toStdString());
    };
    std::atomic<bool> stop{false};
    // The fourth file does not exist, which does no harm.
    QCOMPARE(readIntoPageCache(4, file, 60, stop), std::size_t{4});
    dropFromPageCache(4, file, stop);
    stop = true;
    QCOMPARE(readIntoPageCache(4, file, 60, stop), std::size_t{0});
  }

 private:
  std::optional<Plan> m_plan;
  std::optional<CacheSet> m_caches;
};

}  // namespace millrace

using millrace::TestDiagnosis;
MILLRACE_TEST_CASE(TestDiagnosis)
#include "tst_diagnosis.moc"
