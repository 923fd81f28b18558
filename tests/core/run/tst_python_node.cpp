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

class Pictures:
    def __len__(self):
        return 24
    def __getitem__(self, i):
        height = 3 + i % 2
        return np.full((height, 2, 3), i, np.uint8), i % 5
class Records(Pictures):
    def __getitem__(self, i):
        return {"label": i, "features": np.arange(3) * 0.5, "more": "text"}
class Uneven(Pictures):
    def __getitem__(self, i):
        return np.zeros(3 + (i == 7), np.float32), 0
class Drawing(Pictures):
    def __getitem__(self, i):
        return np.array([random.random(), np.random.random()]), i
class Empty(Pictures):
    def __len__(self):
        return 0
pictures = Pictures()
def make_pictures():
    return Pictures()
)py";

std::string python(const TemporaryFolder& folder, const std::string& function,
                   const std::string& more = "") {
  return "\npython {\"python\": \"/usr/bin/python3\", \"file\": \"" +
         (folder.path() / "mine.py").string() + "\", \"function\": \"" + function + "\"" + more +
         "}";
}

std::string dataset(const TemporaryFolder& folder, const std::string& name,
                    const std::string& items) {
  return "python_dataset {\"python\": \"/usr/bin/python3\", \"file\": \"" +
         (folder.path() / "mine.py").string() + "\", \"dataset\": \"" + name + "\", \"items\": [" +
         items + "]}\nshuffle {}\n";
}

std::string withoutDraws(std::string source) {
  const std::string items = "\"items\"";
  return source.replace(source.find(items), items.size(), "\"random\": false, " + items);
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

  void aDatasetIsASource_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("an object") << "pictures";
    QTest::newRow("a class") << "Pictures";
    QTest::newRow("a function") << "make_pictures";
  }
  void aDatasetIsASource() {
    QFETCH(QString, name);
    const auto plan = planOf(dataset(m_folder, name.toStdString(), R"("image", "label")") +
                             "resize {\"height\": 2, \"width\": 2}\n" + workers(2) +
                             "\nbatch {\"size\": 8}\ndrain {}");
    VERIFY_OK(plan);
    const StreamType& source = plan->pipeline.nodes.front().out;
    QCOMPARE(source.samples, std::optional<std::int64_t>(24));
    QCOMPARE(source.fields[0].text(), std::string("image u8 ?x?x3 hwc"));
    QCOMPARE(source.fields[1].text(), std::string("label i64 scalar"));
    const CacheSet caches = CacheSet::make(*plan).take();
    int rows = 0;
    const Outcome outcome = runPlan(*plan, epochs(1), caches, [&](Executor&, const Batch& batch) {
      for (std::size_t row = 0; row < batch.rows; ++row, ++rows) {
        const auto index = static_cast<std::int64_t>(batch.keys[row].index);
        QCOMPARE(*batch.fields[0].row(row).as<std::uint8_t>(), static_cast<std::uint8_t>(index));
        QCOMPARE(*batch.fields[1].row(row).as<std::int64_t>(), index % 5);
      }
    });
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(rows, 24);
  }

  void itemsAreTakenByName() {
    const auto plan = planOf(dataset(m_folder, "Records", R"("features", "label")") + workers(1) +
                             "\nbatch {\"size\": 8}\ndrain {}");
    VERIFY_OK(plan);
    const StreamType& source = plan->pipeline.nodes.front().out;
    QCOMPARE(source.fields[0].text(), std::string("features f64 3"));
    QCOMPARE(runPlan(*plan, epochs(1)).batches.size(), std::size_t(3));
  }

  void drawsOfADatasetDependOnEpochAndSample() {
    const auto run = [&](int count) {
      return runChain(dataset(m_folder, "Drawing", R"("features", "label")") + workers(count) +
                          "\nbatch {\"size\": 8}\ndrain {}",
                      epochs(2));
    };
    const Outcome one = run(1);
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QVERIFY(one.batches[0].digest != one.batches[3].digest);
    QCOMPARE(run(3).batches, one.batches);
  }

  void aSampleThatDiffersFromTheFirstFails() {
    const Outcome outcome = runChain(dataset(m_folder, "Uneven", R"("features", "label")") +
                                         workers(1) + "\nbatch {\"size\": 8}\ndrain {}",
                                     withFailures(epochs(1), 5));
    QCOMPARE(outcome.failures.size(), std::size_t(1));
    QCOMPARE(outcome.failures[0].reason,
             std::string("python_dataset: `features` is f32 4, but f32 3 in the first sample"));
  }

  void aDatasetIsNotCachedOnDisk() {
    const std::string source = dataset(m_folder, "Records", R"("features", "label")");
    const auto cached = [&](const std::string& from) {
      return planOf(from + "disk_cache {\"path\": \"" + (m_folder.path() / "cache").string() +
                    "\"}\n" + workers(1) + "\nbatch {\"size\": 8}\ndrain {}");
    };
    const auto drawing = cached(source);
    QVERIFY(!drawing.ok());
    QVERIFY(drawing.error().message.find("would store one random draw") != std::string::npos);
    const auto plan = cached(withoutDraws(source));
    VERIFY_OK(plan);
    const auto caches = CacheSet::make(*plan);
    QVERIFY(!caches.ok());
    QVERIFY2(caches.error().message.find("cannot tell whether the data") != std::string::npos,
             caches.error().message.c_str());
  }

  void anEmptyDatasetIsRefused() {
    const auto plan = planOf(dataset(m_folder, "Empty", R"("image", "label")") + workers(1) +
                             "\nbatch {\"size\": 8}\ndrain {}");
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().message.find("the source has no samples") != std::string::npos,
             plan.error().message.c_str());
  }

 private:
  TemporaryFolder m_folder;
};

MILLRACE_TEST_CASE(TestPythonNode)

}  // namespace millrace::tests

#include "tst_python_node.moc"
