// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <cmath>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/compare/comparison_json.h"
#include "core/metrics/metric_text.h"
#include "core/nodes/builtin.h"
#include "tests/core/compare/kept.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::keptRun;
using tests::setFact;
using tests::setPipeline;
using tests::setSetting;
using tests::settingOf;

namespace {

Comparison compared(const std::vector<KeptRun>& runs) {
  return compareRuns(runs, builtinCatalog());
}

const Verdict& verdict(const Comparison& comparison, std::size_t run = 1) {
  return *comparison.runs[run].verdict;
}

QString differing(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const SettingRow& row : comparison.settings)
    if (row.differs) names.push_back(row.name() + "=" + join(row.values, "|"));
  return QString::fromStdString(join(names, " "));
}

QString remarks(const ComparedRun& run) { return QString::fromStdString(join(run.remarks, "\n")); }

constexpr const char* kCached = R"({"format_version": 1, "seed": 3, "nodes": [
  {"id": "synthetic", "kind": "synthetic"},
  {"id": "memory_cache", "kind": "memory_cache", "params": {"limit": 4000000000}},
  {"id": "threads", "kind": "workers"}, {"id": "batch", "kind": "batch"},
  {"id": "prefetch", "kind": "prefetch"}, {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "synthetic", "to": "memory_cache"}, {"from": "memory_cache", "to": "threads"},
  {"from": "threads", "to": "batch"}, {"from": "batch", "to": "prefetch"},
  {"from": "prefetch", "to": "drain"}]})";

}  // namespace

class TestComparison : public QObject {
  Q_OBJECT
 private slots:
  void theFirstRunIsTheReferenceUnlessOneIsTheBaseline() {
    KeptRun three = keptRun(3, {100, 101, 102});
    const KeptRun one = keptRun(1, {100, 101, 102});
    const KeptRun two = keptRun(2, {100, 101, 102});
    QCOMPARE(compared({one, two, three}).runs[0].number(), std::string("1"));
    three.details.summary.baseline = true;
    const Comparison comparison = compared({one, two, three});
    QCOMPARE(comparison.runs[0].number(), std::string("3"));
    QCOMPARE(comparison.runs[1].number(), std::string("1"));
    QVERIFY(!comparison.runs[0].verdict);
    QVERIFY(comparison.runs[2].verdict);
  }

  void judgesRunsMeasuredApart() {
    const KeptRun slow = keptRun(1, {100, 101, 102});
    const Comparison faster = compared({slow, keptRun(2, {150, 151, 152})});
    QCOMPARE(verdict(faster).kind, VerdictKind::Faster);
    QCOMPARE(verdict(faster).how, MeasuredHow::Apart);
    QCOMPARE(verdict(compared({slow, keptRun(2, {101, 102, 103})})).kind, VerdictKind::Same);
    QCOMPARE(verdict(compared({slow, keptRun(2, {95})})).kind, VerdictKind::TooFew);
  }

  void aSpreadThatTheStoreKnowsReplacesTheUsualOne() {
    KeptRun a = keptRun(1, {100, 100.1, 100.2});
    KeptRun b = keptRun(2, {104, 104.1, 104.2});
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Same);
    a.sessionRates = b.sessionRates = {100, 100.1, 99.9, 100, 100.1, 99.9, 100, 100.2};
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Faster);
  }

  void judgesRunsMeasuredTogetherByBlocks() {
    KeptRun a = keptRun(1, {100, 80, 120, 90, 110});
    KeptRun b = keptRun(2, {104, 83.3, 124.7, 93.7, 114.2});
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Same);
    a.together = b.together = MeasuredTogether{7, {}};
    const Comparison comparison = compared({a, b});
    QCOMPARE(verdict(comparison).kind, VerdictKind::Faster);
    QCOMPARE(verdict(comparison).how, MeasuredHow::Together);
    QCOMPARE(verdict(comparison).repeatsA, std::size_t{5});
    setFact(b, "page_cache", "cold");
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Faster);
    b.details.repeats[2].finished = false;
    QCOMPARE(verdict(compared({a, b})).repeatsA, std::size_t{4});
    b.together->group = 8;
    QCOMPARE(verdict(compared({a, b})).how, MeasuredHow::Apart);
  }

  void unlikeConditionsTakeTheVerdictAway_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("CPU") << "cpu_model" << "Another" << "CPU: A CPU against Another";
    QTest::newRow("cores") << "cores_usable" << "4" << "cores: 8 against 4";
    QTest::newRow("memory") << "memory_bytes" << "32e9" << "memory: 16 GB against 32 GB";
    QTest::newRow("a container's limit")
        << "memory_limit_bytes" << "2e9" << "memory limit: none against 2 GB";
    QTest::newRow("GPU") << "gpu" << "H200" << "GPU: none against H200";
    QTest::newRow("data") << "data_fingerprint" << "22-900-4000000"
                          << "data: 1 000 samples, 5 MB against 900 samples, 4 MB";
    QTest::newRow("page cache") << "page_cache" << "cold" << "page cache: warm against cold";
    QTest::newRow("page cache unknown") << "page_cache" << "unknown" << "";
    QTest::newRow("a little less memory") << "memory_bytes" << "15.9e9" << "";
    QTest::newRow("kernel") << "kernel" << "6.2" << "";
    QTest::newRow("draws") << "draws" << "centred" << "draws: random against centred";
    QTest::newRow("apart") << "fusing" << "off" << "node fusion: on against off";
    QTest::newRow("a longer span") << "measured_span" << "60 s" << "";
    QTest::newRow("traced") << "traced" << "yes" << "traced: no against yes";
    QTest::newRow("steered") << "live_changes" << "workers.count=3"
                             << "live changes: no against workers.count=3";
  }
  void unlikeConditionsTakeTheVerdictAway() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, says);
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    setFact(b, key.toStdString(), value.toStdString());
    const Comparison comparison = compared({a, b});
    const Verdict& found = verdict(comparison);
    QCOMPARE(found.kind, says.isEmpty() ? VerdictKind::Faster : VerdictKind::NotAlike);
    QCOMPARE(QString::fromStdString(join(found.differs, "; ")), says);
    QVERIFY(*found.ratio > 1.4);
  }

  void withoutAFingerprintTheNumberOfSamplesTells() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    setFact(b, "data_fingerprint", "");
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Faster);
    setFact(b, "data_samples", "900");
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::NotAlike);
  }

  void manyFailedSamplesAndAFailedRunAreNotAlike() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    b.details.summary.failedSamples = 10;
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::Faster);
    b.details.summary.failedSamples = 400;
    QCOMPARE(QString::fromStdString(verdict(compared({a, b})).differs.front()),
             "failed samples: 0 against 400 of 1000, 40 %");
    b.details.summary.failedSamples = 0;
    b.details.summary.state = RunState::Failed;
    b.details.summary.reason = "decode: 30 of 1000 samples failed";
    QCOMPARE(verdict(compared({a, b})).kind, VerdictKind::NotAlike);
  }

  void otherVersionsAreShownAndDecideNothing() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    b.details.engineVersion = "0.2.0";
    const Comparison comparison = compared({a, b});
    QCOMPARE(verdict(comparison).kind, VerdictKind::Faster);
    const auto different = comparison.conditionsThatDiffer();
    QCOMPARE(different.size(), std::size_t{1});
    QCOMPARE(comparison.runs[1].conditions[different[0]].value, std::string("0.2.0"));
  }

  void saysWhatToKnowOfTheFigures() {
    KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {150, 151, 152});
    b.details.repeats[1].figures = {{"samples_per_second", 151.0}, {"other_busy_share", 0.2}};
    KeptRun c = keptRun(3, {});
    c.details.summary.state = RunState::Interrupted;
    c.details.summary.reason = "its process ended before the run was finished";
    KeptRun d = keptRun(4, {100, 100, 100});
    d.pipelineJson = "{ not JSON";
    d.details.unreadable = {"settings", "windows of repeat 2"};
    const Comparison comparison = compared({a, b, c, d});
    QCOMPARE(remarks(comparison.runs[0]),
             "1 repeat: no confidence interval, which needs 3 or more");
    QCOMPARE(remarks(comparison.runs[1]),
             "disturbed in 1 of 3 repeats (other programs took 20 % of the cores); disturbed "
             "repeats do not count");
    b.details.repeats[2].figures = {{"samples_per_second", 152.0}, {"other_busy_share", 0.5}};
    QCOMPARE(remarks(compared({a, b}).runs[1]),
             "disturbed in 2 of 3 repeats (repeat 2: other programs took 20 % of the cores); "
             "disturbed repeats do not count");
    QCOMPARE(remarks(comparison.runs[2]),
             "interrupted: its process ended before the run was finished\nnothing was measured");
    QCOMPARE(remarks(comparison.runs[3]),
             "its pipeline document cannot be read\nthe store is damaged: settings and windows of "
             "repeat 2 "
             "cannot be read");
    QCOMPARE(verdict(comparison, 2).kind, VerdictKind::TooFew);
    QVERIFY(!comparison.runs[3].graph);
  }

  void disturbedRepeatsOfRunsMeasuredApartCountForNoVerdict() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {100, 101, 102, 40, 41});
    QCOMPARE(verdict(compared({a, b})).repeatsB, std::size_t{5});
    const auto disturb = [](RepeatRecord& repeat) {
      repeat.figures = {{"samples_per_second", figureOf(repeat.figures, "samples_per_second")},
                        {"other_busy_share", 0.5}};
    };
    disturb(b.details.repeats[3]);
    disturb(b.details.repeats[4]);
    const Comparison comparison = compared({a, b});
    QCOMPARE(verdict(comparison).kind, VerdictKind::Same);
    QCOMPARE(verdict(comparison).repeatsB, std::size_t{3});
    QCOMPARE(verdict(comparison).disturbedA, std::size_t{0});
    QCOMPARE(verdict(comparison).disturbedB, std::size_t{2});
    QVERIFY(std::abs(*verdict(comparison).ratio - 1) < 1e-9);
    std::ranges::for_each(b.details.repeats, disturb);
    const Verdict none = verdict(compared({a, b}));
    QCOMPARE(none.kind, VerdictKind::TooFew);
    QCOMPARE(none.disturbedB, std::size_t{0});
    QVERIFY(none.onlyDisturbedB && !none.onlyDisturbedA);
    QCOMPARE(
        QString::fromStdString(describe(none)),
        "no verdict, because all 5 repeats of B were disturbed; by the rates alone, B is at -31 % "
        "compared with A (95 % interval -63 to +30 %); measure both again");
  }

  void theRatioIsThatOfTheShownRates_data() {
    QTest::addColumn<bool>("disturbed");
    QTest::addColumn<bool>("inBlocks");
    QTest::newRow("quiet") << false << false;
    QTest::newRow("one repeat disturbed") << true << false;
    QTest::newRow("measured in blocks") << true << true;
  }
  void theRatioIsThatOfTheShownRates() {
    QFETCH(bool, disturbed);
    QFETCH(bool, inBlocks);
    const std::vector<double> ratesA = {5012, 4900, 5100, 2500, 9900};
    const std::vector<double> ratesB = {9500, 9400, 9600, 2000, 7000};
    KeptRun a = keptRun(1, ratesA);
    KeptRun b = keptRun(2, ratesB);
    if (disturbed)
      b.details.repeats[3].figures = {{"samples_per_second", 2000.0}, {"other_busy_share", 0.4}};
    if (inBlocks) {
      a.together = b.together = MeasuredTogether{7, {}};
      a.details.inBlocks = b.details.inBlocks = true;
    }
    const Comparison comparison = compared({a, b});
    const FigureRow& rate = *tests::figureOf(comparison, "samples_per_second");
    const double shown = *rate.values[1].value / *rate.values[0].value;
    QVERIFY(std::abs(shown / *verdict(comparison).ratio - 1) < 1e-12);
    for (std::size_t run = 0; run < 2; ++run)
      QCOMPARE(*comparison.runs[run].summary.samplesPerSecond, *rate.values[run].value);
    const bool leftOut = disturbed && !inBlocks;
    QCOMPARE(comparison.runs[1].repeats[3].counted, !leftOut);
    double product = 1;
    double count = 0;
    for (std::size_t i = 0; i < ratesB.size(); ++i)
      if (!leftOut || i != 3) {
        product *= ratesB[i];
        ++count;
      }
    QVERIFY(std::abs(*rate.values[1].value / std::pow(product, 1 / count) - 1) < 1e-12);
  }

  void anUnfinishedRunCountsByWhatItMeasured() {
    KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150});
    b.details.repeats[0].finished = false;
    b.details.summary.state = RunState::Interrupted;
    const Comparison comparison = compared({a, b});
    QCOMPARE(verdict(comparison).kind, VerdictKind::Faster);
    QVERIFY(remarks(comparison.runs[1]).contains("the rate covers the measured part"));
  }

  void settingsThatDifferAreFewAndInTheOrderOfTheChain() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {100, 101, 102});
    setSetting(b, "prefetch.batches=9");
    setSetting(b, "workers.count=6");
    QCOMPARE(differing(compared({a, b})), "workers.count=4|6 prefetch.batches=2|9");
    QVERIFY(compared({a, b}).settings.size() > 10);
    QVERIFY(compared({a, a, b}).settings.front().name() == "synthetic");
  }

  void aNodeThatOneRunLacksIsOneRowAndItsTellingSettings() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {100, 101, 102});
    setPipeline(b, kCached);
    const Comparison comparison = compared({a, b});
    QCOMPARE(differing(comparison),
             "memory_cache=absent|on memory_cache.limit=-|4000000000 (4 GB)");
    // A renamed node is the same node.
    QVERIFY(settingOf(comparison, "workers.count") != nullptr);
    QCOMPARE(settingOf(comparison, "workers.count")->values[1], std::string("4"));
    QVERIFY(settingOf(comparison, "threads.count") == nullptr);
  }

  void aParameterThatAnEarlierVersionDidNotKnowHasItsDefault() {
    KeptRun a = keptRun(1, {100, 101, 102});
    const KeptRun b = keptRun(2, {100, 101, 102});
    std::erase_if(a.details.settings, [](const SettingRecord& setting) {
      return setting.node == "workers" && setting.param == "count";
    });
    QCOMPARE(differing(compared({a, b})), "");
  }

  void figuresHaveIntervalsAndChanges() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {200, 202, 204});
    const Comparison comparison = compared({a, b});
    const FigureRow* rate = tests::figureOf(comparison, "samples_per_second");
    QVERIFY(rate != nullptr);
    QVERIFY(std::abs(*rate->change(1) - 1.0) < 1e-12);
    QVERIFY(rate->values[0].interval95->low < 101 && rate->values[0].interval95->high > 101);
    const FigureRow* memory = tests::figureOf(comparison, "peak_rss_bytes");
    QVERIFY(!memory->values[0].interval95);
    QVERIFY(tests::figureOf(comparison, "step_share") == nullptr);
    QCOMPARE(*tests::figureOf(comparison, "node.mean_ms", "synthetic")->values[1].value, 2.0);
    QVERIFY(tests::figureOf(comparison, "queue.empty_share", "prefetch") != nullptr);
  }

  /// Over random repeats, some of them disturbed: the verdict's ratio and the change are those of
  /// the two shown rates.
  void everyRatioIsThatOfTheShownRates() {
    for (std::uint32_t i = 0; i < 200; ++i) {
      Draw draw(DrawKey{7, 0, i, 0, 0});
      std::vector<KeptRun> runs;
      for (std::int64_t number = 1; number <= 2; ++number) {
        std::vector<double> rates;
        const double size = std::pow(10.0, draw.uniform(0.5, 3.5));
        for (int repeat = 0; repeat < 5; ++repeat)
          rates.push_back((number == 1 ? 1 : 1.04) * size * std::exp(0.1 * draw.normal()));
        runs.push_back(keptRun(number, rates));
        for (RepeatRecord& repeat : runs.back().details.repeats)
          if (draw.uniform(0, 1) < 0.3) repeat.figures[2].value = 0.2;  // other_busy_share
      }
      const Comparison comparison = compared(runs);
      const FigureRow& rate = *tests::figureOf(comparison, "samples_per_second");
      const double ratio = *shownRatio(*comparison.runs[0].summary.samplesPerSecond,
                                       *comparison.runs[1].summary.samplesPerSecond);
      QCOMPARE(*rate.values[0].value, *comparison.runs[0].summary.samplesPerSecond);
      QVERIFY(std::abs(*shownRatioOf(verdict(comparison)) - ratio) < 1e-12);
      QVERIFY(std::abs(*rate.shownChange(1) - (ratio - 1)) < 1e-12);
    }
  }

  void aFigureThatOneRunLacksIsAbsentNotZero() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {200, 202, 204});
    b.details.figures.clear();
    const Comparison comparison = compared({a, b});
    const FigureRow* memory = tests::figureOf(comparison, "peak_rss_bytes");
    QVERIFY(!memory->values[1].value);
    QVERIFY(!memory->change(1));
  }

  void theJsonSaysAllOfIt() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {150, 151, 152});
    setSetting(b, "workers.count=6");
    b.details.summary.name = "caf\xe9 </script>";
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(comparisonJson(compared({a, b}), false)))
            .object();
    QCOMPARE(json["reference"].toString(), "1");
    const QJsonArray runs = json["runs"].toArray();
    QVERIFY(runs[0].toObject()["verdict"].isNull());
    QCOMPARE(runs[1].toObject()["name"].toString(), QString("caf\uFFFD </script>"));
    const QJsonObject found = runs[1].toObject()["verdict"].toObject();
    QCOMPARE(found["kind"].toString(), "faster");
    QVERIFY(found["ratio_ci95_low"].toDouble() > 1.3);
    QVERIFY(found["p"].isNull());
    QVERIFY(found["sentence"].toString().startsWith("run 2 is 50 % faster than run 1 ("));
    QCOMPARE(json["settings"].toArray().size(), 1);
    QCOMPARE(json["settings"].toArray()[0].toObject()["values"].toArray()[1].toString(), "6");
    QVERIFY(json["settings_total"].toInt() > 10);
    QVERIFY(json["graph"].toArray()[0].isNull());
    QCOMPARE(json["graph"].toArray()[1].toObject()["nodes"].toArray().size(), 1);
    const QJsonObject rate = json["figures"].toArray()[0].toObject();
    QCOMPARE(rate["metric"].toString(), "samples_per_second");
    QVERIFY(rate["change"].toArray()[0].isNull());
    const QJsonObject all =
        QJsonDocument::fromJson(QByteArray::fromStdString(comparisonJson(compared({a, b}), true)))
            .object();
    QCOMPARE(all["settings"].toArray().size(), json["settings_total"].toInt());
  }
};

MILLRACE_TEST_CASE(TestComparison)

}  // namespace millrace

#include "tst_comparison.moc"
