// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Which conditions of two runs count as equal and which do not: each rule of
// core/compare/conditions.
#include "core/compare/conditions.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "tests/core/compare/kept.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::keptRun;
using tests::setFact;
using tests::setSetting;

namespace {

std::vector<std::vector<RunCondition>> conditions(const std::vector<KeptRun>& runs) {
  return conditionsOf(runs, builtinCatalog());
}

const RunCondition& named(const std::vector<RunCondition>& all, const char* name) {
  return *std::ranges::find(all, name, &RunCondition::name);
}

/// "CPU! kernel": the conditions that differ; "!" marks those that decide.
QString differing(const KeptRun& a, const KeptRun& b) {
  const auto both = conditions({a, b});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < both[0].size(); ++i)
    if (differs(both[0][i], both[1][i]))
      names.push_back(both[0][i].name + (both[0][i].weight == Weight::Decides ? "!" : ""));
  return QString::fromStdString(join(names, " "));
}

/// The value of the condition for a run with these facts.
QString valueOf(const char* condition, const std::vector<KeyValue>& facts) {
  KeptRun run = keptRun(1, {100});
  for (const auto& [key, value] : facts) setFact(run, key, value);
  return QString::fromStdString(named(conditions({run})[0], condition).value);
}

}  // namespace

class TestConditions : public QObject {
  Q_OBJECT
 private slots:
  void whichFactsDecideAndWhichExplain_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* key, const char* a, const char* b, const char* says) {
      QTest::addRow("%s: %s against %s", key, a, b) << key << a << b << says;
    };
    row("cpu_model", "One", "Two", "CPU!");
    row("architecture", "x86_64", "aarch64", "architecture!");
    row("cores_usable", "2", "4", "cores!");
    row("memory_bytes", "16e9", "15e9", "memory!");
    row("memory_bytes", "16e9", "15.7e9", "");
    row("memory_bytes", "16e9", "15.6e9", "memory!");
    row("memory_limit_bytes", "2e9", "4e9", "memory limit!");
    row("memory_limit_bytes", "", "4e9", "memory limit!");
    row("memory_limit_bytes", "0", "", "");
    row("memory_limit_bytes", "inf", "", "");
    row("gpu", "", "H200", "GPU!");
    row("governor", "performance", "powersave", "governor!");
    row("governor", "", "powersave", "");
    row("data_fingerprint", "1f-9-5", "2f-9-5", "data!");
    row("page_cache", "warm", "cold", "page cache!");
    row("page_cache", "warm", "unknown", "");
    row("draws", "random", "centred", "draws!");
    row("fusing", "on", "off", "node fusion!");
    row("live_changes", "", "batch.size=3", "live changes!");
    row("live_changes", "batch.size=3", "batch.size=3", "live changes!");
    row("traced", "", "yes", "traced!");
    row("origin", "", "training", "consumer!");
    row("origin", "training", "training", "");
    row("origin", "", "loader", "");
    row("origin", "loader", "training", "consumer!");
    row("machine", "", "gpu1", "machine!");
    row("machine", "gpu1", "gpu1", "");
    row("ranks", "", "2", "ranks");
    row("ranks", "1", "", "");
    row("measured_span", "5 s", "60 s", "measured");
    row("warmup_seconds", "2", "0", "warm-up seconds");
    row("kernel", "6.1", "6.2", "kernel");
    row("distribution", "Debian 12", "Debian 13", "distribution");
    row("gpu_driver", "550", "570", "GPU driver");
    row("compiler", "g++ 12", "clang 19", "compiler");
    row("virtualised", "no", "yes", "virtual machine");
    row("hostname", "one", "two", "");
  }
  void whichFactsDecideAndWhichExplain() {
    QFETCH(QString, key);
    QFETCH(QString, a);
    QFETCH(QString, b);
    KeptRun one = keptRun(1, {100, 101, 102});
    KeptRun other = keptRun(2, {100, 101, 102});
    setFact(one, key.toStdString(), a.toStdString());
    setFact(other, key.toStdString(), b.toStdString());
    QTEST(differing(one, other), "says");
  }

  void whatNobodyLookedAtSaysNothing() {
    KeptRun old = keptRun(1, {100});
    old.details.environment.clear();
    KeptRun other = keptRun(2, {100});
    setFact(other, "gpu", "H200");
    setFact(other, "memory_limit_bytes", "4e9");
    QCOMPARE(differing(old, other), "");
    QCOMPARE(valueOf("GPU", {}), "none");
    QCOMPARE(valueOf("GPU", {{"kernel", ""}}), "");
  }

  void asMuchMemoryIsThatOfTheFirstRunWithAsMuch() {
    std::vector<KeptRun> runs;
    for (const char* bytes : {"16e9", "15.8e9", "15.6e9", "15.5e9"}) {
      runs.push_back(keptRun(static_cast<std::int64_t>(runs.size()), {100}));
      setFact(runs.back(), "memory_bytes", bytes);
    }
    const auto all = conditions(runs);
    const auto same = [&](std::size_t a, std::size_t b) {
      return !differs(named(all[a], "memory"), named(all[b], "memory"));
    };
    QVERIFY(same(0, 1) && !same(1, 2) && same(2, 3));
  }

  void aPageCacheThatIsHalfWarmIsComparedByTenths() {
    KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    for (KeptRun* run : {&a, &b}) setFact(*run, "page_cache", "mixed");
    QCOMPARE(differing(a, b), "");
    setFact(a, "page_cache_resident_share", "0.42");
    setFact(b, "page_cache_resident_share", "0.38");
    QCOMPARE(differing(a, b), "");
    setFact(b, "page_cache_resident_share", "0.31");
    QCOMPARE(differing(a, b), "page cache!");
    QCOMPARE(
        valueOf("page cache", {{"page_cache", "mixed"}, {"page_cache_resident_share", "0.42"}}),
        "mixed, 42 % in memory");
    QCOMPARE(valueOf("page cache", {{"page_cache", "warm"}, {"page_cache_resident_share", "0.97"}}),
             "warm");
  }

  void onlyWhatDriftsIsForgivenToRunsMeasuredTogether() {
    const KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    setFact(b, "page_cache", "cold");
    setFact(b, "cores_usable", "4");
    setFact(b, "kernel", "6.2");
    const auto both = conditions({a, b});
    QCOMPARE(QString::fromStdString(join(notAlikeIn(both[0], both[1]), "; ")),
             "cores: 8 against 4; page cache: warm against cold");
    QCOMPARE(QString::fromStdString(join(notAlikeIn(both[0], both[1], true), "; ")),
             "cores: 8 against 4");
  }

  void onlyDataOfTheSameSizeHasAChecksum() {
    KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    setFact(a, "data_fingerprint", "1f0c22334455-1200-5000000");
    setFact(b, "data_fingerprint", "9a9b22334455-1200-5000000");
    const auto both = conditions({a, b});
    QCOMPARE(QString::fromStdString(join(notAlikeIn(both[0], both[1]), "; ")),
             "data: 1 200 samples, 5 MB, checksum 1f0c2233 against 1 200 samples, 5 MB, checksum "
             "9a9b2233");
  }

  void aFingerprintIsShownInWords() {
    QCOMPARE(valueOf("data", {{"data_fingerprint", "1f0c22334455-1200-5000000"}}),
             "1 200 samples, 5 MB");
    for (const char* odd : {"strange", "a-b-c", "1f-2", "1f--2-3", "1f-nan-3"})
      QCOMPARE(valueOf("data", {{"data_fingerprint", odd}}), QString(odd));
    QCOMPARE(valueOf("data", {{"data_fingerprint", ""}}), "1000 samples");
  }

  void howARunEndedDecidesOnlyWhereItFailed() {
    KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    b.details.summary.state = RunState::Interrupted;
    QCOMPARE(differing(a, b), "");
    b.details.summary.state = RunState::Failed;
    QCOMPARE(differing(a, b), "outcome!");
    a.details.summary.state = RunState::Failed;
    QCOMPARE(differing(a, b), "outcome!");
    a.details.summary.reason = "the disk";
    QCOMPARE(named(conditions({a, b})[0], "outcome").value, std::string("failed: the disk"));
    QCOMPARE(named(conditions({a, b})[1], "outcome").value, std::string("failed"));
  }

  void moreThanOneInAHundredFailedSamplesDecide() {
    const KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    const auto failed = [&](std::int64_t count) {
      b.details.summary.failedSamples = count;
      return named(conditions({a, b})[1], "failed samples").value;
    };
    QCOMPARE(failed(10), std::string("10 of 1000, 1 %"));
    QCOMPARE(differing(a, b), "");
    QCOMPARE(failed(11), std::string("11 of 1000, 1.1 %"));
    QCOMPARE(differing(a, b), "failed samples!");
    QCOMPARE(failed(5000), std::string("5000 of 1000, 100 %"));
    setFact(b, "data_samples", "");
    QCOMPARE(failed(5000), std::string("5000"));
  }

  void otherProgramsAreThoseOfTheWorstRepeat() {
    const KeptRun a = keptRun(1, {100, 101, 102});
    KeptRun b = keptRun(2, {100, 101, 102});
    const auto busy = [&](double share) {
      b.details.repeats[1].figures = {{"samples_per_second", 101.0}, {"other_busy_share", share}};
      return differing(a, b);
    };
    QCOMPARE(busy(0.03), "");
    QCOMPARE(busy(0.031), "other programs");
    QCOMPARE(named(conditions({a, b})[1], "other programs").value,
             std::string("3.1 % of the cores"));
    for (RepeatRecord& repeat : b.details.repeats) repeat.figures.clear();
    QCOMPARE(differing(a, b), "");
  }

  void whatASampleIsExplainsAndItsBatchDoesNot() {
    const KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    setSetting(b, "batch.size=7");
    QCOMPARE(differing(a, b), "");
    setSetting(b, "synthetic.length=7");
    QCOMPARE(differing(a, b), "sample type");
    b.pipelineJson = "{";
    QCOMPARE(differing(a, b), "");
  }

  void anotherEngineExplains() {
    const KeptRun a = keptRun(1, {100});
    KeptRun b = keptRun(2, {100});
    b.details.engineVersion = "0.2.0";
    QCOMPARE(differing(a, b), "engine");
  }
};

}  // namespace millrace

using millrace::TestConditions;
MILLRACE_TEST_CASE(TestConditions)
#include "tst_conditions.moc"
