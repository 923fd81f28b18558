// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The python node in whole runs: the same batches for any number of processes, failures by sample.
#include "tests/core/run/run_support.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const char* const kFile = R"py(
import os, random
import numpy as np

def noisy(image, rng):
    return np.clip(image + rng.integers(-20, 20, image.shape), 0, 255).astype(np.uint8)
def mirrored(image):
    return image[:, ::-1] if random.random() < 0.5 else image
def doubled(features):
    return features.astype(np.float32) * 2
def fails_sometimes(features):
    if features[0] < 8:
        raise ValueError("too small")
    return features
def crashes_sometimes(features):
    if features[0] < 8:
        os.abort()
    return features
def summed(features):
    return features, np.int64(features.astype(np.int64).sum())
)py";

std::string python(const TemporaryFolder& folder, const std::string& function,
                   const std::string& more = "") {
  return "\npython {\"python\": \"/usr/bin/python3\", \"file\": \"" +
         (folder.path() / "mine.py").string() + "\", \"function\": \"" + function + "\"" + more +
         "}";
}

std::string features(int count) {
  return "synthetic {\"count\": " + std::to_string(count) + "}\nshuffle {}";
}

}  // namespace

class TestPythonNode : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_folder.write("mine.py", kFile); }

  void batchesAreTheSameForAnyNumberOfProcesses_data() {
    QTest::addColumn<QString>("function");
    QTest::newRow("a generator") << "noisy";
    QTest::newRow("the module random") << "mirrored";
  }
  void batchesAreTheSameForAnyNumberOfProcesses() {
    QFETCH(QString, function);
    const auto run = [&](int count) {
      return runChain(
          "synthetic {\"content\": \"image\", \"height\": 5, \"width\": 4, \"count\": "
          "40}\nshuffle {}" +
              python(m_folder, function.toStdString()) + "\n" + workers(count) +
              "\nbatch {\"size\": 8}\ndrain {}",
          epochs(2));
    };
    const Outcome one = run(1);
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t(10));
    QVERIFY(one.batches[0].digest != one.batches[5].digest);
    QCOMPARE(run(4).batches, one.batches);
    QCOMPARE(run(4).batches, one.batches);
  }

  void resultsHaveTheTypesThatAreDeclared() {
    const auto plan =
        planOf(features(10) +
               python(m_folder, "summed",
                      R"(, "fields": ["features"], "results": ["features", "total=i64:scalar"])") +
               "\n" + workers(1) + "\nbatch {\"size\": 5}\ndrain {}");
    VERIFY_OK(plan);
    std::vector<std::int64_t> totals;
    const CacheSet caches = CacheSet::make(*plan).take();
    const Outcome outcome = runPlan(*plan, epochs(1), caches, [&](Executor&, const Batch& batch) {
      for (std::size_t row = 0; row < batch.rows; ++row)
        totals.push_back(*batch.fields.back().row(row).as<std::int64_t>());
    });
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(totals.size(), std::size_t(10));
    for (const std::int64_t total : totals) QVERIFY(total > 0 && total < 64 * 255);
  }

  void aResultOfAnotherTypeFailsTheSample() {
    const Outcome outcome =
        runChain(features(4) + python(m_folder, "doubled", R"(, "fields": ["features"])") + "\n" +
                     workers(1) + "\nbatch {\"size\": 2}\ndrain {}",
                 epochs(1));
    QCOMPARE(outcome.end, RunEnd::Failed);
    QVERIFY2(outcome.error.find("the function returned f32 64 for `features`, which is declared as "
                                "u8 64: add `features=f32:64` to `results` if that is right") !=
                 std::string::npos,
             outcome.error.c_str());
  }

  void onlyTheSamplesThatFailAreMissing_data() {
    QTest::addColumn<QString>("function");
    QTest::newRow("by an exception") << "fails_sometimes";
    QTest::newRow("by a crash") << "crashes_sometimes";
  }
  void onlyTheSamplesThatFailAreMissing() {
    QFETCH(QString, function);
    const Outcome outcome = runChain(
        features(200) + python(m_folder, function.toStdString(), R"(, "fields": ["features"])") +
            "\n" + workers(2) + "\nbatch {\"size\": 10}\ndrain {}",
        withFailures(epochs(1), 100));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    const std::size_t failed = outcome.failures.size();
    QVERIFY2(failed > 0 && failed < 30, qPrintable(QString::number(failed)));
    QCOMPARE(indices(outcome, 0).size() + failed, std::size_t(200));
  }

 private:
  TemporaryFolder m_folder;
};

MILLRACE_TEST_CASE(TestPythonNode)

}  // namespace millrace::tests

#include "tst_python_node.moc"
